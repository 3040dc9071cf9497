//===- Bands.h - Keys that runs of queries see ------------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of a residue are a band where three facts hold: every row between the first and the last that see a key sees
// one, bounds do not decrease, and what a row sees begins no later than what the row before it sees ends. Then a run of
// rows sees one interval of keys, from the begin of its first row to the end of its last, and is not looked at row by
// row.
//
// The facts are proved once for each residue: after a number of rows all divisions of the bounds repeat, so that each
// bound is a line in each phase, and what has to hold between two lines holds everywhere if it does at the ends. Where
// a fact fails, or proving it takes as long as looking at each row, rows are visited one by one: answers are the same.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_PIECES_BANDS_H
#define XFRT_PIECES_BANDS_H

#include "Array.h"
#include "Numbers.h"

namespace xfrt {

/// A piece at the sizes of a call. Each residue has rows, its queries numbered in the order of the query map, and keys,
/// numbered in the order of the key map. The rows of a residue are a band if those that see a key follow each other, no
/// bound decreases from row to row, and there is no gap between the keys of two rows that follow each other.
class Bands {
public:
  Bands(const PieceNumbers &piece, const Sizes &sizes);

  /// Finds the bands. Returns false if memory could not be allocated.
  bool find();
  /// Returns whether the rows of every residue are a band.
  bool areRegular() const { return isRegular; }

  const PieceNumbers &numbers() const { return piece; }
  /// Return the rows of a residue that are among `queries`, and the numbers of its keys that are among `keys`.
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
  /// Return the first row whose keys end behind `number`, and the first whose keys begin at `number` or behind it. Only
  /// rows that see a key count; if there is none, returns the end of these rows. The residue must be a band.
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
