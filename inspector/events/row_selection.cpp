#include "inspector/events/row_selection.h"

#include "inspector/events/event_fields.h"
#include "inspector/format/text_filter.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>

namespace et::inspector::events {
namespace {

/// Whether a module of one of the event's nodes passes the test. OpTypes::Reference: only nodes that the
/// reference lists.
template <class Test>
bool anyModule(const EventRow& row, OpTypes which, Test test) {
    return std::ranges::any_of(nodesOf(*row.block, *row.event), [&](const etrecord::Node* node) {
        const bool there = which == OpTypes::All || !names::detail::isUnloadedByReference(node->op);
        return there && std::ranges::any_of(node->moduleStack, test);
    });
}

bool matches(const format::TextFilter& filter, const EventRow& row) {
    if (filter.matches(row.event->name) || (!row.block->phase.empty() && filter.matches(row.block->phase))) {
        return true;
    }
    if (std::ranges::any_of(opTypes(*row.block, *row.event, OpTypes::All),
                            [&](std::string_view op) { return filter.matches(op); })) {
        return true;
    }
    return anyModule(row, OpTypes::All, [&](const etrecord::ModuleFrame& module) {
        return filter.matches(module.fqn) || filter.matches(module.path) || filter.matches(module.type);
    });
}

std::vector<std::uint8_t> eventsOfModule(const EventRows& rows, std::string_view name, OpTypes which,
                                         std::string etrecord::ModuleFrame::* key) {
    std::vector<std::uint8_t> found;
    for (const EventRow& row : rows.rows) {
        found.push_back(anyModule(row, which, [&](const etrecord::ModuleFrame& module) {
            return (module.*key).find(name) != std::string::npos;
        }));
    }
    return found;
}

/// Error that lists the first available modules.
core::Error unknownModule(const EventRows& rows, std::string_view name) {
    constexpr std::size_t listed = 20;
    std::set<std::string_view> names;
    for (const EventRow& row : rows.rows) {
        (void)anyModule(row, OpTypes::All, [&](const etrecord::ModuleFrame& module) {
            if (!module.fqn.empty()) {
                names.insert(module.fqn);
            }
            return names.size() > listed;
        });
    }
    if (names.empty()) {
        return {core::ErrorCode::NotFound,
                fmt::format("no module '{}': no event has modules (is a record given?)", name),
                {}};
    }
    const bool more = names.size() > listed;
    const auto end = std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(names.size(), listed)));
    return {core::ErrorCode::NotFound,
            fmt::format("no event in module '{}', expected one of {}{}", name,
                        fmt::join(names.begin(), end, ", "), more ? ", …" : ""),
            {}};
}

ModuleTotal totalOf(std::string_view module, const EventRows& rows, const std::vector<std::uint8_t>& kept) {
    ModuleTotal total{.name = std::string(module)};
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const Event& event = *rows.rows[i].event;
        if (kept[i] != 0 && event.name != names::detail::operatorCall) {
            total.average += event.samples.empty() ? 0 : event.statistics.average;
            ++total.events;
        }
    }
    return total;
}

}  // namespace

core::Result<RowSelection> selectRows(const EventRows& rows, const EventTableOptions& options) {
    const bool quirks = std::ranges::any_of(
        rows.traces, [](const NamedTrace& trace) { return trace.blocks->options().referenceQuirks; });
    const OpTypes which = quirks ? OpTypes::Reference : OpTypes::All;
    RowSelection out;
    out.kept.assign(rows.rows.size(), 1);
    if (!options.module.empty()) {
        out.kept = eventsOfModule(rows, options.module, which, &etrecord::ModuleFrame::path);
        if (std::ranges::find(out.kept, 1) == out.kept.end()) {
            out.kept = eventsOfModule(rows, options.module, which, &etrecord::ModuleFrame::fqn);
        }
        if (std::ranges::find(out.kept, 1) == out.kept.end()) {
            return std::unexpected(unknownModule(rows, options.module));
        }
    }
    if (!options.filter.empty()) {
        ET_ASSIGN(const format::TextFilter filter, format::TextFilter::make(options.filter));
        for (std::size_t i = 0; i < rows.rows.size(); ++i) {
            out.kept[i] = out.kept[i] != 0 && matches(filter, rows.rows[i]) ? 1 : 0;
        }
    }
    if (!options.module.empty()) {
        out.total = totalOf(options.module, rows, out.kept);
    }
    return out;
}

}  // namespace et::inspector::events
