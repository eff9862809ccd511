#pragma once

#include "inspector/profiles/vendor_profile.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::profiles::detail {

/// A row of a CSV file.
struct CsvRow {
    std::size_t line = 1;  ///< of its start, from 1
    std::vector<std::string> cells{};
};

/// Reads CSV as RFC 4180 has it (quoted cells may contain commas, quotes and line breaks), with LF or CRLF.
/// Empty lines are skipped.
class CsvReader {
  public:
    explicit CsvReader(std::string_view of) : text(of) {}

    /// The next row; nothing at the end. Errors: Format (a quoted cell does not end), Limit (more than 256
    /// cells).
    [[nodiscard]] core::Result<std::optional<CsvRow>> next();

  private:
    [[nodiscard]] core::Result<std::string> quotedCell();
    [[nodiscard]] std::string plainCell();

    std::string_view text;
    std::size_t line = 1;
};

/// The first row of a CSV file, without the byte order mark; empty for an empty file.
[[nodiscard]] std::vector<std::string> csvHeader(std::string_view text);

/// A CSV file with a header.
class CsvTable {
  public:
    /// Calls `take` with each row, which has at least as many cells as the header: missing ones are empty.
    /// Repeated header lines are skipped. Errors: those of CsvReader and of `take`.
    [[nodiscard]] static core::Result<> read(
        std::string_view text, const std::function<core::Result<>(const CsvTable&, const CsvRow&)>& take);

    /// Index of the column with one of these names, if there is one.
    [[nodiscard]] std::optional<std::size_t> find(std::initializer_list<std::string_view> names) const;
    /// Name of a column; "column 9" for a cell beyond the header.
    [[nodiscard]] std::string nameOf(std::size_t column) const;
    [[nodiscard]] const std::vector<std::string>& header() const { return names; }

  private:
    std::vector<std::string> names;
};

/// Appends the cells that are not empty, except those in the columns of `without`.
void addOtherCells(const CsvTable& table, const CsvRow& row,
                   std::initializer_list<std::optional<std::size_t>> without, ProfileColumns& to);

/// Reads a number that must be finite and not negative. Errors: Format; names line and column.
[[nodiscard]] core::Result<double> numberIn(const CsvRow& row, std::size_t column, std::string_view name);

}  // namespace et::inspector::profiles::detail
