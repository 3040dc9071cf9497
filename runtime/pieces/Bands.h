//===- Bands.h - Keys that runs of queries see ------------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the bands of a piece. The rows of a residue are a band if three conditions hold. Every row between the first
// and the last row that see a key sees a key, too. Bounds do not decrease from row to row. The keys of a row begin no
// later than the keys of the row before it end. Then a run of rows sees one interval of keys, from the first key of its
// first row to the last key of its last row, and no row between them is evaluated.
//
// The conditions are proved once for each residue. All divisions in the bounds repeat after a number of rows, the
// period. For rows that are a period apart, each bound is therefore a line, and a relation between two lines holds
// everywhere if it holds at both ends. If a condition fails, or if its proof takes as long as evaluating each row, rows
// are evaluated one by one, with the same results.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_PIECES_BANDS_H
#define XFRT_PIECES_BANDS_H

#include "Array.h"
#include "Numbers.h"

namespace xfrt {

/// The queries and keys of a piece at the sizes of a call. The rows of a residue are its queries, numbered in the order
/// of the query map. The residue's keys are numbered in the order of the key map. The head of this file defines a band.
class Bands {
public:
  Bands(const PieceNumbers &piece, const Sizes &sizes);

  /// Finds the bands. Returns false if memory could not be allocated.
  bool find();
  /// Returns whether the rows of every residue are a band.
  bool areRegular() const { return isRegular; }

  const PieceNumbers &numbers() const { return piece; }
  /// Return the rows of a residue whose queries are in `queries` (rowsOf), and the numbers of its keys that are in
  /// `keys` (numbersOf).
  KeyRun rowsOf(int64_t residue, KeyRun queries) const {
    return piece.queryMap.numbersOf(piece.queryMap.start(residue), queries, sizes.numbers[0]);
  }
  KeyRun numbersOf(int64_t residue, KeyRun keys) const {
    return piece.keyMap.numbersOf(piece.keyMap.start(residue), keys, sizes.numbers[1]);
  }
  /// Returns the position of the query of `row`.
  int64_t positionOf(int64_t residue, int64_t row) const {
    return piece.queryMap.at(piece.queryMap.start(residue), row);
  }
  /// Returns the numbers of the keys that a row sees.
  KeyRun seenBy(int64_t residue, int64_t row) const;

  /// Returns the numbers of the keys that a run of rows sees. The residue must be a band.
  KeyRun seenByRows(int64_t residue, KeyRun rows) const;
  /// Returns the rows of a residue that see a key. The residue must be a band.
  KeyRun seeing(int64_t residue) const { return bands[size_t(residue)]; }
  /// Return the first row whose keys end behind `number` (firstThatEndsBehind), and the first row whose keys begin at
  /// `number` or behind it (firstThatBeginsAt). Only rows that see a key count. If there is no such row, return the end
  /// of the rows that see a key. The residue must be a band.
  int64_t firstThatEndsBehind(int64_t residue, int64_t number) const { return search(residue, number, true); }
  int64_t firstThatBeginsAt(int64_t residue, int64_t number) const { return search(residue, number, false); }

private:
  bool findPeriod();
  bool isBand(int64_t residue, KeyRun &band);
  bool findLines(int64_t residue, KeyRun rows);
  KeyRun seeingTurns(int64_t phase, int64_t count, KeyRun keys) const;
  bool areInOrder(int64_t phase, KeyRun pairs) const;
  int64_t valueOf(int64_t form, int64_t phase) const { return values[size_t(form * period + phase)]; }
  int64_t search(int64_t residue, int64_t number, bool ofEnds) const;

  const PieceNumbers piece;
  const Sizes sizes;
  const KeyRun allQueries, allKeys;
  int64_t period = 0;     // of rows, after which all bounds repeat
  int64_t counts[3] = {}; // of lower and upper bounds, and of conditions
  int64_t forms = 0;      // of all three
  Array<int64_t> growths; // of each form over a period, in numbers of keys
  Array<int64_t> values;  // of each form at each phase of a residue
  Array<KeyRun> bands;    // of each residue
  bool isRegular = false;
};

} // namespace xfrt

#endif // XFRT_PIECES_BANDS_H
