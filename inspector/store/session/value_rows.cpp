#include "inspector/store/session/value_rows.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/tensor_summary.h"
#include "inspector/format/python_text.h"
#include "inspector/store/session/session_rows.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::inspector::store {
namespace {

using core::Result;
using format::Cell;
using format::Dict;

/// By alternative of etdump::DebugValue; a list of tensors becomes one row per tensor.
constexpr std::array<std::string_view, 8> valueTypeNames{"Null",   "Int",    "Bool",   "Float",
                                                         "Double", "String", "Tensor", "Tensor"};

template <class T>
std::optional<T> entry(const Dict& info, std::string_view key) {
    const auto found = std::ranges::find(info, key, [](const auto& each) { return each.first; });
    const T* const value = found == info.end() ? nullptr : std::get_if<T>(&found->second);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

/// Run and event that logged a value.
struct LoggedAt {
    std::size_t run = 0;
    std::optional<std::size_t> event;
    std::size_t position = 0;
    std::string_view type;
};

Result<> addTensor(RowWriter& rows, const LoggedAt& at, const Dict& info) {
    const auto sizes = entry<std::vector<std::int64_t>>(info, "shape");
    return rows.add(
        "logged_values", at.run, at.event, at.position, at.type, entry<std::string>(info, "dtype"),
        sizes.transform([](const auto& list) { return jsonList(list); }), entry<std::int64_t>(info, "count"),
        entry<std::int64_t>(info, "nonfinite"), entry<double>(info, "min"), entry<double>(info, "max"),
        entry<double>(info, "mean"), entry<std::string>(info, "error"));
}

Result<> addValue(RowWriter& rows, LoggedAt at, const Cell& summary) {
    if (const auto* const info = std::get_if<Dict>(&summary)) {
        return addTensor(rows, at, *info);
    }
    if (const auto* const list = std::get_if<format::List>(&summary)) {
        for (; at.position < list->size(); ++at.position) {
            ET_TRY(addTensor(rows, at, std::get<Dict>((*list)[at.position])));
        }
        return {};
    }
    const bool none = std::holds_alternative<std::monostate>(summary);
    const auto text = none ? std::nullopt : std::optional(format::pythonValue(summary));
    constexpr std::nullopt_t null = std::nullopt;
    return rows.add("logged_values", at.run, at.event, at.position, at.type, null, null, null, null, null,
                    null, null, text);
}

}  // namespace

Result<> addLoggedValues(RowWriter& rows, const EventBlocks& blocks, const LoggedValues& logged) {
    const etdump::Trace& trace = blocks.trace();
    for (const etdump::EventIndex each : logged.values) {
        const etdump::DebugValue& value = trace.debugValue(each);
        const auto run = static_cast<std::size_t>(&trace.runOf(each) - trace.runs().data());
        const LoggedAt at{.run = logged.firstRun + run,
                          .event = logged.event,
                          .position = 0,
                          .type = valueTypeNames[value.value.index()]};
        ET_TRY(addValue(rows, at, events::debugValueSummary(value, blocks.debugBuffer())));
    }
    return {};
}

}  // namespace et::inspector::store
