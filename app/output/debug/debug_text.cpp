#include "app/output/debug/debug_text.h"

#include "inspector/format/json_text.h"
#include "inspector/format/quantities.h"
#include "inspector/format/table.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;
using inspector::format::Table;

const Cell& at(const Dict& dict, std::string_view key) {
    static const Cell none;
    const auto found = std::ranges::find_if(dict, [&](const auto& each) { return each.first == key; });
    return found == dict.end() ? none : found->second;
}

const Dict* dictAt(const Dict& dict, std::string_view key) {
    return std::get_if<Dict>(&at(dict, key));
}

const List& listAt(const Dict& dict, std::string_view key) {
    static const List none;
    const auto* const found = std::get_if<List>(&at(dict, key));
    return found != nullptr ? *found : none;
}

std::int64_t numberAt(const Dict& dict, std::string_view key) {
    const auto* const found = std::get_if<std::int64_t>(&at(dict, key));
    return found != nullptr ? *found : 0;
}

bool truthAt(const Dict& dict, std::string_view key) {
    const auto* const found = std::get_if<bool>(&at(dict, key));
    return found != nullptr && *found;
}

std::string plainText(const Cell& cell) {
    if (const auto* const number = std::get_if<double>(&cell)) {
        return fmt::format("{:.6g}", *number);
    }
    if (const auto* const truth = std::get_if<bool>(&cell)) {
        return *truth ? "true" : "false";
    }
    return inspector::format::cellText(cell, {});
}

std::string textAt(const Dict& dict, std::string_view key) {
    return plainText(at(dict, key));
}

bool hasValue(const Cell& cell) {
    return !std::holds_alternative<std::monostate>(cell);
}

std::string bold(std::string_view text, bool colour) {
    return colour ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
}

/// "model.py:88".
std::string sourceAtText(const Cell& cell) {
    const auto* const source = std::get_if<Dict>(&cell);
    return source != nullptr ? fmt::format("{}:{}", textAt(*source, "file"), numberAt(*source, "line"))
                             : std::string();
}

/// " (module layers.3, model.py:88)".
std::string originText(const Dict& dict) {
    std::vector<std::string> parts;
    if (const std::string module = textAt(dict, "module"); !module.empty()) {
        parts.push_back("module " + module);
    }
    if (std::string source = sourceAtText(at(dict, "source")); !source.empty()) {
        parts.push_back(std::move(source));
    }
    return parts.empty() ? std::string() : fmt::format(" ({})", fmt::join(parts, ", "));
}

/// "Breakpoint 1", "Stopped".
std::string stopReasonText(const Dict& stop) {
    if (hasValue(at(stop, "breakpoint"))) {
        return fmt::format("Breakpoint {}", numberAt(stop, "breakpoint"));
    }
    if (hasValue(at(stop, "watchpoint"))) {
        return fmt::format("Watchpoint {}", numberAt(stop, "watchpoint"));
    }
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> names{
        {{"step", "At"},
         {"start", "Start"},
         {"end", "End"},
         {"interrupted", "Interrupted"},
         {"error", "Error"},
         {"crash", "Crash"}}};
    const std::string reason = textAt(stop, "reason");
    const auto* const found =
        std::ranges::find_if(names, [&](const auto& each) { return each.first == reason; });
    return std::string(found != names.end() ? found->second : reason);
}

std::string messageText(const Dict& dict) {
    const std::string message = textAt(dict, "message");
    return message.empty() ? std::string() : fmt::format("  {}\n", message);
}

std::string stopText(const Dict& stop, bool colour) {
    const std::int64_t branch = numberAt(stop, "branch");
    const std::string place = fmt::format("execution {}{}", numberAt(stop, "execution"),
                                          branch > 0 ? fmt::format(" of branch {}", branch) : "");
    if (!hasValue(at(stop, "operator"))) {
        return fmt::format("{}: {} of {} after {} steps\n", stopReasonText(stop), place,
                           textAt(stop, "method"), numberAt(stop, "step")) +
               messageText(stop);
    }
    const bool isAfter = textAt(stop, "when") == "after";
    // In loops and after skipped branches, steps are not instructions.
    const std::int64_t step = numberAt(stop, "step") - (isAfter ? 1 : 0);
    const std::int64_t instruction = numberAt(stop, "instruction");
    const bool isSame = step == instruction || numberAt(stop, "step") == instruction;
    return fmt::format("{}: {}, {}instruction {} of {}{}{}: {}{}\n", stopReasonText(stop), place,
                       isAfter ? "after " : "", instruction, numberAt(stop, "instructions"),
                       !isSame ? fmt::format(" (step {})", step) : "",
                       hasValue(at(stop, "node")) ? fmt::format(", operator {}", numberAt(stop, "node")) : "",
                       bold(textAt(stop, "operator"), colour), originText(stop)) +
           messageText(stop);
}

std::string ruleSuffix(const Dict& rule) {
    std::string text;
    if (hasValue(at(rule, "condition"))) {
        text += fmt::format(" if {}", textAt(rule, "condition"));
    }
    if (numberAt(rule, "ignore") > 0) {
        text += fmt::format(", ignoring {} hits", numberAt(rule, "ignore"));
    }
    if (numberAt(rule, "hits") > 0) {
        text += fmt::format(", {} hit{}", numberAt(rule, "hits"),
                            inspector::format::plural(static_cast<std::uint64_t>(numberAt(rule, "hits"))));
    }
    return text + (truthAt(rule, "enabled") ? "" : ", disabled");
}

std::string breakpointText(const Dict& breakpoint) {
    constexpr std::size_t shown = 8;
    std::vector<std::string> places;
    for (const Cell& each : listAt(breakpoint, "instructions")) {
        const auto& site = std::get<Dict>(each);
        places.push_back(hasValue(at(site, "node"))
                             ? fmt::format("{}.{}", numberAt(site, "instruction"), numberAt(site, "node"))
                             : fmt::format("{}", numberAt(site, "instruction")));
    }
    const std::size_t all = places.size();
    places.resize(std::min(all, shown));
    const std::string text = fmt::format(
        "{} {}: {} at instruction{} {}{}{}\n",
        truthAt(breakpoint, "temporary") ? "Temporary breakpoint" : "Breakpoint", numberAt(breakpoint, "id"),
        textAt(breakpoint, "location"), inspector::format::plural(all), fmt::join(places, ", "),
        all > shown ? fmt::format(", ... ({} in total)", all) : "", ruleSuffix(breakpoint));
    return text + messageText(breakpoint);
}

std::string watchpointText(const Dict& watchpoint) {
    return fmt::format("Watchpoint {}: {}{}\n", numberAt(watchpoint, "id"), textAt(watchpoint, "expression"),
                       ruleSuffix(watchpoint));
}

std::string rangeText(const Cell& cell) {
    const auto* const range = std::get_if<Dict>(&cell);
    return range != nullptr ? fmt::format(", arena {}: {} to {}", numberAt(*range, "id"),
                                          numberAt(*range, "begin"), numberAt(*range, "end"))
                            : std::string();
}

std::string sizesIn(const Dict& dict, std::string_view key) {
    const auto* const sizes = std::get_if<std::vector<std::int64_t>>(&at(dict, key));
    return sizes != nullptr ? core::sizesText(*sizes) : std::string();
}

std::string valueHeadText(const Dict& value) {
    std::string text = textAt(value, "name");
    const std::string id = fmt::format("%{}", numberAt(value, "id"));
    if (hasValue(at(value, "id")) && text != id) {
        text += fmt::format(" ({})", id);
    }
    if (textAt(value, "kind") != "tensor") {
        return fmt::format("{} = {}\n", text, textAt(value, "value"));
    }
    text += fmt::format(": {} {}", textAt(value, "dtype"), sizesIn(value, "sizes"));
    if (hasValue(at(value, "role"))) {
        text += fmt::format(", {}", textAt(value, "role"));
    }
    return text + rangeText(at(value, "arena")) + "\n";
}

std::string statisticsText(const Dict& value) {
    const Dict* const statistics = dictAt(value, "statistics");
    if (statistics == nullptr) {
        return {};
    }
    std::string text =
        fmt::format("  min {} max {} mean {} std {}", textAt(*statistics, "min"), textAt(*statistics, "max"),
                    textAt(*statistics, "mean"), textAt(*statistics, "std"));
    for (const std::string_view kind : {"nan", "inf", "zero"}) {
        if (numberAt(*statistics, kind) > 0) {
            text += fmt::format(", {} {}", numberAt(*statistics, kind), kind);
        }
    }
    return text + "\n";
}

/// The elements, one line for each row of the last dimension; truncated.
std::string dataText(const Dict& value) {
    constexpr std::size_t maxLines = 10;
    constexpr std::size_t maxColumns = 8;
    const List& data = listAt(value, "data");
    const Cell& shape = hasValue(at(value, "shape")) ? at(value, "shape") : at(value, "sizes");
    const auto* const sizes = std::get_if<std::vector<std::int64_t>>(&shape);
    if (data.empty() || sizes == nullptr) {
        return {};
    }
    const std::size_t width =
        sizes->empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(sizes->back(), 1));
    std::string text;
    for (std::size_t line = 0; line < maxLines && line * width < data.size(); ++line) {
        std::vector<std::string> words;
        for (std::size_t i = line * width;
             i < std::min(data.size(), line * width + std::min(width, maxColumns)); ++i) {
            words.push_back(plainText(data[i]));
        }
        text += fmt::format("  [{}{}]\n", fmt::join(words, ", "), width > maxColumns ? ", ..." : "");
    }
    return text + (data.size() > maxLines * width ? "  ...\n" : "");
}

std::string histogramText(const Dict& value) {
    constexpr std::int64_t width = 40;
    const Dict* const histogram = dictAt(value, "histogram");
    const auto* const counts =
        histogram != nullptr ? std::get_if<std::vector<std::int64_t>>(&at(*histogram, "counts")) : nullptr;
    if (counts == nullptr || counts->empty()) {
        return {};
    }
    const auto* const low = std::get_if<double>(&at(*histogram, "low"));
    const auto* const high = std::get_if<double>(&at(*histogram, "high"));
    const std::int64_t most = std::max<std::int64_t>(std::ranges::max(*counts), 1);
    std::string text;
    for (std::size_t i = 0; i < counts->size(); ++i) {
        const double from =
            low != nullptr && high != nullptr
                ? *low + (*high - *low) * static_cast<double>(i) / static_cast<double>(counts->size())
                : 0;
        text += fmt::format("  {:>12.5g} {:<40} {}\n", from,
                            std::string(static_cast<std::size_t>((*counts)[i] * width / most), '#'),
                            (*counts)[i]);
    }
    return text;
}

std::string differenceText(const Dict& value) {
    std::string text;
    if (const Dict* const reference = dictAt(value, "reference")) {
        text += hasValue(at(*reference, "missing"))
                    ? fmt::format("  reference: {}\n", textAt(*reference, "missing"))
                    : fmt::format("  reference: max error {}, mean error {}, SNR {} dB\n",
                                  textAt(*reference, "max_error"), textAt(*reference, "mean_error"),
                                  textAt(*reference, "snr"));
    }
    if (const Dict* const previous = dictAt(value, "previous")) {
        text += hasValue(at(*previous, "missing"))
                    ? fmt::format("  previous execution: {}\n", textAt(*previous, "missing"))
                    : fmt::format("  execution {}: {} elements differ, by at most {}\n",
                                  numberAt(*previous, "execution"), numberAt(*previous, "changed"),
                                  textAt(*previous, "max_change"));
    }
    return text;
}

std::string debugValueText(const Dict& value) {
    return valueHeadText(value) + statisticsText(value) + dataText(value) + histogramText(value) +
           differenceText(value);
}

/// A table of the entries of a list.
std::string rowTable(const List& rows, std::initializer_list<std::string_view> keys) {
    Table table{.columns = {}, .indexed = false};
    for (const std::string_view key : keys) {
        table.columns.push_back({.id = std::string(key), .header = std::string(key)});
    }
    for (const Cell& each : rows) {
        const auto& row = std::get<Dict>(each);
        std::vector<Cell>& cells = table.rows.emplace_back();
        for (const std::string_view key : keys) {
            cells.push_back(key == "source" ? Cell(sourceAtText(at(row, key))) : at(row, key));
        }
    }
    return inspector::format::render(table, inspector::format::Format::Table);
}

std::string branchText(const Dict& branch) {
    return fmt::format("Branch {}: {} at execution {}, step {}\n", numberAt(branch, "id"),
                       textAt(branch, "edit").empty() ? "the recording" : textAt(branch, "edit"),
                       numberAt(branch, "execution"), numberAt(branch, "step"));
}

std::string instructionLines(const Dict& info) {
    std::string text;
    for (const Cell& each : listAt(info, "instructions")) {
        const auto& row = std::get<Dict>(each);
        text += fmt::format("{} {:>4}  {}{}\n", truthAt(row, "current") ? ">" : " ",
                            numberAt(row, "instruction"), textAt(row, "operator"), originText(row));
    }
    return text;
}

std::string sourceLines(const Dict& info) {
    std::string text = fmt::format("{}:{}\n", textAt(info, "file"), numberAt(info, "line"));
    for (const Cell& each : listAt(info, "text")) {
        const auto& row = std::get<Dict>(each);
        text += fmt::format("{} {:>4}  {}\n", truthAt(row, "current") ? ">" : " ", numberAt(row, "line"),
                            textAt(row, "text"));
    }
    return text;
}

std::string accessText(const Dict& info, std::string_view key, std::string_view title) {
    const Dict* const access = dictAt(info, key);
    return access == nullptr
               ? fmt::format("  {}: never\n", title)
               : fmt::format("  {}: execution {}, step {} ({})\n", title, numberAt(*access, "execution"),
                             numberAt(*access, "step"),
                             hasValue(at(*access, "operator")) ? textAt(*access, "operator") : "input");
}

std::string stopsText(const Dict& info) {
    std::string text;
    for (const Cell& each : listAt(info, "breakpoints")) {
        text += breakpointText(std::get<Dict>(each));
    }
    for (const Cell& each : listAt(info, "watchpoints")) {
        text += watchpointText(std::get<Dict>(each));
    }
    return text.empty() ? "No breakpoints or watchpoints.\n" : text;
}

std::string executionsText(const Dict& info) {
    std::string text =
        rowTable(listAt(info, "executions"), {"execution", "method", "inputs", "steps", "error"});
    if (const Dict* const recording = dictAt(info, "recording")) {
        text += fmt::format(
            "{} snapshots, {} of {}; {} removed\n", numberAt(*recording, "snapshots"),
            inspector::format::readableBytes(static_cast<std::uint64_t>(numberAt(*recording, "bytes"))),
            inspector::format::readableBytes(static_cast<std::uint64_t>(numberAt(*recording, "budget"))),
            numberAt(*recording, "removed"));
    }
    return text;
}

std::string savedText(const Dict& info) {
    std::string text = fmt::format("{}: {} bytes\n", textAt(info, "file"), numberAt(info, "bytes"));
    for (const Cell& each : listAt(info, "not_replayable")) {
        text += fmt::format("  {}\n", plainText(each));
    }
    return text;
}

std::string tapText(const Dict& taps) {
    const List& operators = listAt(taps, "changed_operators");
    const List& outputs = listAt(taps, "changed_outputs");
    if (operators.empty() && outputs.empty()) {
        return "Reading the values inside changes neither operators nor outputs.\n";
    }
    std::string text;
    if (!operators.empty()) {
        std::vector<std::string> names;
        for (const Cell& each : operators) {
            names.push_back(plainText(each));
        }
        text = fmt::format("Reading the values inside prevents fusion: {} operators instead of {}: {}\n",
                           numberAt(taps, "operators_with_taps"), numberAt(taps, "operators"),
                           fmt::join(names, ", "));
    }
    for (const Cell& each : outputs) {
        const auto& output = std::get<Dict>(each);
        text +=
            fmt::format("  {} of {} elements of argument {} differ from a run without it\n",
                        numberAt(output, "elements"), numberAt(output, "of"), numberAt(output, "argument"));
    }
    return text;
}

std::string listsText(const Dict& info, std::string_view kind) {
    std::string text;
    if (kind == "values") {
        for (const Cell& each : listAt(info, "values")) {
            text += valueHeadText(std::get<Dict>(each));
        }
    } else if (kind == "arena") {
        for (const Cell& each : listAt(info, "arenas")) {
            const auto& arena = std::get<Dict>(each);
            text += fmt::format("Arena {}: {} bytes\n{}", numberAt(arena, "id"), numberAt(arena, "bytes"),
                                rowTable(listAt(arena, "values"), {"name", "begin", "end"}));
        }
    } else if (kind == "branches") {
        for (const Cell& each : listAt(info, "branches")) {
            const auto& branch = std::get<Dict>(each);
            text += (numberAt(branch, "id") == numberAt(info, "current") ? "> " : "  ") + branchText(branch);
        }
    } else if (kind == "methods") {
        text = rowTable(listAt(info, "methods"), {"name", "instructions", "inputs", "outputs"});
    } else if (kind == "delegate") {
        text = rowTable(listAt(info, "nodes"), {"node", "operator", "debug_handles"});
        if (const Dict* const taps = dictAt(info, "taps")) {
            text += tapText(*taps);
        }
    } else if (kind == "diff") {
        text = truthAt(info, "equal") ? fmt::format("All {} values are equal.\n", numberAt(info, "compared"))
                                      : rowTable(listAt(info, "values"), {"name", "max_error", "mse", "snr"});
    }
    return text;
}

std::string debugInfoText(const Dict& info) {
    const std::string kind = textAt(info, "kind");
    if (kind == "help") {
        return textAt(info, "text");
    }
    if (kind == "breakpoints") {
        return stopsText(info);
    }
    if (kind == "list" || kind == "instructions") {
        return instructionLines(info);
    }
    if (kind == "source") {
        return sourceLines(info);
    }
    if (kind == "writers") {
        return textAt(info, "value") + "\n" + accessText(info, "last_write", "last written") +
               accessText(info, "next_read", "next read");
    }
    if (kind == "executions") {
        return executionsText(info);
    }
    return kind == "saved" ? savedText(info) : listsText(info, kind);
}

}  // namespace

std::string debugText(const Dict& answer, bool colour) {
    if (const Dict* const stop = dictAt(answer, "stop")) {
        return stopText(*stop, colour);
    }
    if (const Dict* const value = dictAt(answer, "value")) {
        return debugValueText(*value);
    }
    if (const Dict* const breakpoint = dictAt(answer, "breakpoint")) {
        return breakpointText(*breakpoint);
    }
    if (const Dict* const watchpoint = dictAt(answer, "watchpoint")) {
        return watchpointText(*watchpoint);
    }
    if (const Dict* const branch = dictAt(answer, "branch")) {
        return branchText(*branch);
    }
    const Dict* const info = dictAt(answer, "info");
    return info != nullptr ? debugInfoText(*info) : std::string();
}

std::string debugJson(const core::Result<Dict>& answer) {
    if (answer) {
        return inspector::format::jsonLine(*answer);
    }
    static constexpr std::array<std::string_view, 8> codes{
        "Io", "Format", "Unsupported", "Limit", "NotFound", "InvalidArgument", "Mismatch", "Cancelled"};
    const Dict error{{"code", std::string(codes[static_cast<std::size_t>(answer.error().code)])},
                     {"message", answer.error().toString()}};
    return inspector::format::jsonLine(Dict{{"error", error}});
}

}  // namespace et::output
