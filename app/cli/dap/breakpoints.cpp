#include "app/cli/dap/breakpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

namespace et::cli::dap {
namespace {

using core::Result;

/// A watchpoint that the client offers among its exceptions.
struct ExceptionFilter {
    std::string_view id;
    std::string_view label;
    std::string_view command;
};
constexpr std::array filters{
    ExceptionFilter{.id = "nan", .label = "NaN", .command = "watch nan"},
    ExceptionFilter{.id = "inf", .label = "Infinite value", .command = "watch inf"},
    ExceptionFilter{
        .id = "own_error", .label = "Operator error above rounding", .command = "watch own_error"},
    ExceptionFilter{
        .id = "overwritten", .label = "Read of overwritten memory", .command = "watch overwritten"},
};

/// The first hit at which a breakpoint stops: "5", ">= 5" or "> 4"; empty if the condition is invalid.
std::optional<std::uint64_t> firstHit(std::string_view condition) {
    const bool isAbove = condition.starts_with('>') && !condition.starts_with(">=");
    condition.remove_prefix(std::min(condition.find_first_not_of("<>= \t"), condition.size()));
    condition = condition.substr(0, condition.find_last_not_of(" \t") + 1);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(condition.data(), condition.data() + condition.size(), number);
    if (error != std::errc() || end != condition.data() + condition.size() || number >= UINT32_MAX) {
        return std::nullopt;
    }
    return isAbove ? number + 1 : number;
}

Dict unset(std::string message) {
    return {{"verified", false}, {"message", std::move(message)}};
}

}  // namespace

List Breakpoints::exceptionFilters() {
    List all;
    for (const ExceptionFilter& each : filters) {
        all.emplace_back(Dict{{"filter", std::string(each.id)},
                              {"label", std::string(each.label)},
                              {"supportsCondition", true},
                              {"conditionDescription", "max(abs(out)) > 1e4"}});
    }
    return all;
}

std::string_view Breakpoints::reason(std::int64_t id) const {
    const auto found = kinds.find(id);
    if (found == kinds.end()) {
        return "breakpoint";
    }
    switch (found->second) {
        case Kind::Operator:
            return "function breakpoint";
        case Kind::Exception:
            return "exception";
        case Kind::Data:
            return "data breakpoint";
        case Kind::Line:
            break;
    }
    return "breakpoint";
}

void Breakpoints::clear(const Group& group) {
    for (const std::int64_t id : std::exchange(idsByGroup[group], {})) {
        // A temporary breakpoint, or one that the user deleted in the console, is gone.
        std::ignore = debuggee.ask(fmt::format("delete {}", id));
        kinds.erase(id);
    }
}

Dict Breakpoints::set(const Group& group, std::string_view command, const JsonValue& wanted) {
    std::string line(command);
    if (const std::string condition = wanted["condition"].text(); !condition.empty()) {
        line += " if " + condition;
    }
    if (const std::string hits = wanted["hitCondition"].text(); !hits.empty()) {
        const auto first = firstHit(hits);
        if (!first) {
            return unset(fmt::format("hit count: expected a number or \">= 5\", got \"{:.40}\"", hits));
        }
        line += *first > 1 ? fmt::format(" ignore {}", *first - 1) : "";
    }
    const auto answer = debuggee.ask(line);
    if (!answer) {
        return unset(answer.error().message);
    }
    const JsonValue made =
        (*answer)[group.first == Kind::Line || group.first == Kind::Operator ? "breakpoint" : "watchpoint"];
    const auto id = made["id"].integer();
    if (!id) {
        return unset("the engine set no breakpoint");
    }
    idsByGroup[group].push_back(*id);
    kinds[*id] = group.first;
    Dict described{{"id", *id}, {"verified", true}};
    if (std::string message = made["message"].text(); !message.empty()) {
        described.emplace_back("message", std::move(message));
    }
    return described;
}

Result<Dict> Breakpoints::setLines(const Request& request) {
    const std::string path = request.arguments["source"]["path"].text();
    std::string file = debuggee.sources().recordFile(path);
    if (file.empty()) {
        file = path.substr(path.find_last_of("/\\") + 1);
    } else {
        debuggee.sources().setClientPath(file, path);
    }
    const Group group{Kind::Line, path};
    clear(group);
    List all;
    for (const JsonValue& each : request.arguments["breakpoints"].items()) {
        const std::int64_t line = each["line"].integer().value_or(0);
        Dict described = set(group, fmt::format("break {}:{}", file, line), each);
        described.emplace_back("line", line);
        all.emplace_back(std::move(described));
    }
    return Dict{{"breakpoints", std::move(all)}};
}

Dict Breakpoints::setAll(const Group& group, std::string_view command, std::string_view member,
                         const Request& request) {
    clear(group);
    List all;
    for (const JsonValue& each : request.arguments["breakpoints"].items()) {
        all.emplace_back(set(group, fmt::format("{} {}", command, each[member].text()), each));
    }
    return {{"breakpoints", std::move(all)}};
}

Result<Dict> Breakpoints::setOperators(const Request& request) {
    return setAll({Kind::Operator, {}}, "break", "name", request);
}

Result<Dict> Breakpoints::setData(const Request& request) {
    return setAll({Kind::Data, {}}, "watch", "dataId", request);
}

Result<Dict> Breakpoints::setExceptions(const Request& request) {
    const Group group{Kind::Exception, {}};
    clear(group);
    List all;
    const auto add = [&](const std::string& id, const JsonValue& wanted) {
        const auto* const filter = std::ranges::find(filters, std::string_view(id), &ExceptionFilter::id);
        all.emplace_back(filter == filters.end() ? unset(fmt::format("no filter \"{:.40}\"", id))
                                                 : set(group, filter->command, wanted));
    };
    for (const JsonValue& each : request.arguments["filters"].items()) {
        add(each.text(), {});
    }
    for (const JsonValue& each : request.arguments["filterOptions"].items()) {
        add(each["filterId"].text(), each);
    }
    return Dict{{"breakpoints", std::move(all)}};
}

}  // namespace et::cli::dap
