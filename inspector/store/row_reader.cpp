#include "inspector/store/row_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace et::inspector::store {

using core::Result;

Result<double> RowReader::timeOf(const Statement& row, int column, const char* field) const {
    const double time = row.real(column);
    if (!std::isfinite(time) || time < 0) {
        return damaged(database, field, fmt::format("expected a time of 0 or more, got {}", time));
    }
    return time;
}

Result<std::uint64_t> RowReader::countOf(const Statement& row, int column, const char* field) const {
    const std::int64_t count = row.integer(column);
    if (count < 0) {
        return damaged(database, field, fmt::format("expected 0 or more, got {}", count));
    }
    return static_cast<std::uint64_t>(count);
}

Result<OperatorKind> RowReader::kindOf(const Statement& row, int column, const char* field) const {
    const std::string_view name = row.text(column);
    const auto* const kind = std::ranges::find(operatorKinds, name, &OperatorKindInfo::name);
    if (kind == std::end(operatorKinds)) {
        return damaged(database, field,
                       fmt::format("expected an operator kind, got '{}'", core::printable(name)));
    }
    return kind->kind;
}

}  // namespace et::inspector::store
