#include "app/cli/dap/variables.h"

#include "runtime/core/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace et::cli::dap {
namespace {

using core::ErrorCode;
using core::Result;

/// A group of values.
struct Scope {
    std::string_view name;
    std::string_view role;  ///< "role" of its values; empty: see Variables::scopeValues()
    bool expensive = false;
};
constexpr std::array scopeList{
    Scope{.name = "Operator", .role = {}},
    Scope{.name = "Inputs", .role = "input"},
    Scope{.name = "Outputs", .role = "output"},
    Scope{.name = "State", .role = "state"},
    Scope{.name = "Intermediates", .role = "intermediate", .expensive = true},
    Scope{.name = "Constants", .role = "constant", .expensive = true},
    Scope{.name = "Memory", .role = {}, .expensive = true},
};
constexpr std::int64_t operatorScope = 1;
constexpr auto memoryScope = static_cast<std::int64_t>(scopeList.size());
/// First reference of a part; smaller ones are scopes.
constexpr std::int64_t firstPart = 1000;
constexpr std::size_t maxParts = 1'000'000;
/// Maximum number of elements that the engine prints.
constexpr std::int64_t maxElements = 1000;

std::vector<std::int64_t> sizesOf(const JsonValue& value) {
    std::vector<std::int64_t> sizes;
    for (const JsonValue& each : value["sizes"].items()) {
        sizes.push_back(each.integer().value_or(0));
    }
    return sizes;
}

/// "float32 [1, 3]: min -1.0, max 2.0, mean 0.5, 3 nan"
std::string summary(const JsonValue& value) {
    if (value["kind"].text() != "tensor") {
        return value["value"] ? value["value"].display() : value["kind"].text("none");
    }
    std::string text = fmt::format("{} {}", value["dtype"].text(), core::sizesText(sizesOf(value)));
    const JsonValue statistics = value["statistics"];
    std::string_view separator = ": ";
    for (const std::string_view name : {"min", "max", "mean"}) {
        if (statistics[name]) {
            text += fmt::format("{}{} {}", separator, name, statistics[name].display());
            separator = ", ";
        }
    }
    for (const std::string_view name : {"nan", "inf"}) {
        if (statistics[name].integer().value_or(0) > 0) {
            text += fmt::format("{}{} {}", separator, statistics[name].display(), name);
            separator = ", ";
        }
    }
    return text;
}

Dict leaf(std::string name, std::string value) {
    return {{"name", std::move(name)}, {"value", std::move(value)}, {"variablesReference", std::int64_t{0}}};
}

}  // namespace

std::string Variables::Part::slice(std::string_view last) const {
    const std::string_view separator = indices.empty() || last.empty() ? "" : ", ";
    return indices.empty() && last.empty()
               ? expression
               : fmt::format("{}[{}{}{}]", expression, fmt::join(indices, ", "), separator, last);
}

/// References expire when the model moves or an edit changes it.
void Variables::forgetIfChanged() {
    if (version != debuggee.version()) {
        version = debuggee.version();
        parts.clear();
        expressions.clear();
    }
}

std::int64_t Variables::addPart(Part part) {
    if (parts.size() >= maxParts) {
        return 0;
    }
    parts.push_back(std::move(part));
    return firstPart + static_cast<std::int64_t>(parts.size()) - 1;
}

Dict Variables::variable(std::string name, const JsonValue& value) {
    forgetIfChanged();
    Dict described{{"name", std::move(name)}, {"value", summary(value)}};
    const auto id = value["id"].integer();
    std::string expression = id ? fmt::format("%{}", *id) : value["name"].text();
    if (value["kind"].text() != "tensor") {
        described.emplace_back("type", value["kind"].text());
        described.emplace_back("variablesReference", std::int64_t{0});
    } else {
        std::vector<std::int64_t> sizes = sizesOf(value);
        described.emplace_back("type", value["dtype"].text());
        described.emplace_back("indexedVariables", sizes.empty() ? 0 : sizes.front());
        described.emplace_back("namedVariables",
                               static_cast<std::int64_t>(value["statistics"].members().size()) + 1);
        described.emplace_back("variablesReference",
                               addPart({.expression = expression, .sizes = std::move(sizes), .indices = {}}));
    }
    described.emplace_back("evaluateName", std::move(expression));
    return described;
}

Result<Dict> Variables::scopes(const Request& /*request*/) {
    List all;
    for (const Scope& scope : scopeList) {
        all.emplace_back(Dict{{"name", std::string(scope.name)},
                              {"variablesReference", static_cast<std::int64_t>(all.size()) + 1},
                              {"expensive", scope.expensive}});
    }
    return Dict{{"scopes", std::move(all)}};
}

Result<Dict> Variables::variables(const Request& request) {
    forgetIfChanged();
    const std::int64_t reference = request.arguments["variablesReference"].integer().value_or(0);
    if (reference >= 1 && reference <= memoryScope) {
        ET_ASSIGN(List all, scopeValues(reference));
        return Dict{{"variables", std::move(all)}};
    }
    if (reference < firstPart || std::cmp_greater_equal(reference - firstPart, parts.size())) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("variablesReference: {} has expired", reference));
    }
    const Part part = parts[static_cast<std::size_t>(reference - firstPart)];
    const std::string filter = request.arguments["filter"].text();
    List all;
    if (filter != "indexed" && part.indices.empty()) {
        ET_ASSIGN(all, statistics(part));
    }
    if (filter != "named" && !part.sizes.empty()) {
        const std::int64_t first =
            std::clamp<std::int64_t>(request.arguments["start"].integer().value_or(0), 0, part.count());
        const std::int64_t count = request.arguments["count"].integer().value_or(0);
        const std::int64_t left = std::min(part.count() - first, maxElements);
        ET_ASSIGN(List children,
                  elements(part, {.first = first, .count = count > 0 ? std::min(count, left) : left}));
        for (const auto& child : children) {
            const auto name = std::get<std::string>(std::get<Dict>(child).front().second);
            expressions[{reference, name}] = part.slice(name.substr(1, name.size() - 2));
        }
        std::ranges::move(children, std::back_inserter(all));
    }
    return Dict{{"variables", std::move(all)}};
}

Result<List> Variables::scopeValues(std::int64_t reference) {
    if (reference == operatorScope) {
        return arguments();
    }
    if (reference == memoryScope) {
        return memory();
    }
    ET_ASSIGN(const JsonText answer, debuggee.ask("info values"));
    List all;
    for (const JsonValue& value : answer["info"]["values"].items()) {
        if (value["role"].text() != scopeList[static_cast<std::size_t>(reference - 1)].role) {
            continue;
        }
        std::string name = value["name"].text();
        expressions[{reference, name}] = fmt::format("%{}", value["id"].integer().value_or(-1));
        all.emplace_back(variable(std::move(name), value));
    }
    return all;
}

/// Arguments of the instruction at the stop.
Result<List> Variables::arguments() {
    ET_ASSIGN(const JsonText answer, debuggee.ask("list 1"));
    List all;
    for (const JsonValue& instruction : answer["info"]["instructions"].items()) {
        if (!instruction["current"].boolean()) {
            continue;
        }
        for (const JsonValue& argument : instruction["arguments"].items()) {
            const std::string expression = fmt::format("%{}", argument["value"].integer().value_or(-1));
            if (const auto printed = debuggee.ask("print " + expression)) {
                std::string name = argument["name"].text();
                expressions[{operatorScope, name}] = expression;
                all.emplace_back(variable(std::move(name), (*printed)["value"]));
            }
        }
    }
    return all;
}

/// Values in the arenas.
Result<List> Variables::memory() {
    ET_ASSIGN(const JsonText answer, debuggee.ask("info arena"));
    List all;
    for (const JsonValue& arena : answer["info"]["arenas"].items()) {
        for (const JsonValue& value : arena["values"].items()) {
            all.emplace_back(leaf(
                value["name"].text(),
                fmt::format("arena {}, bytes {} to {}{}", arena["id"].display(), value["begin"].display(),
                            value["end"].display(), value["live"].boolean() ? "" : ", unused now")));
        }
    }
    return all;
}

Result<List> Variables::statistics(const Part& part) {
    ET_ASSIGN(const JsonText answer, debuggee.ask("print " + part.expression));
    const JsonValue value = answer["value"];
    List all;
    if (part.sizes.empty()) {
        for (const JsonValue& only : value["data"].items()) {
            all.emplace_back(leaf("value", only.display()));
        }
    }
    for (const auto& [name, number] : value["statistics"].members()) {
        if (number) {
            all.emplace_back(leaf(name, number.display()));
        }
    }
    if (const JsonValue arena = value["arena"]) {
        all.emplace_back(leaf("memory", fmt::format("arena {}, bytes {} to {}", arena["id"].display(),
                                                    arena["begin"].display(), arena["end"].display())));
    }
    return all;
}

Result<List> Variables::elements(const Part& part, Range range) {
    List all;
    if (!part.isRow()) {
        const auto inner = std::span(part.sizes).subspan(part.indices.size() + 1);
        for (std::int64_t i = range.first; i < range.first + range.count; ++i) {
            Part child = part;
            child.indices.push_back(i);
            all.emplace_back(Dict{{"name", fmt::format("[{}]", i)},
                                  {"value", core::sizesText(inner)},
                                  {"indexedVariables", inner.front()},
                                  {"evaluateName", child.slice({})},
                                  {"variablesReference", addPart(child)}});
        }
        return all;
    }
    if (range.count == 0) {
        return all;
    }
    const std::string slice = part.slice(fmt::format("{}:{}", range.first, range.first + range.count));
    ET_ASSIGN(const JsonText answer, debuggee.ask("print " + slice));
    std::int64_t at = range.first;
    for (const JsonValue& element : answer["value"]["data"].items()) {
        Dict described = leaf(fmt::format("[{}]", at), element.display());
        described.emplace_back("evaluateName", part.slice(fmt::format("{}", at)));
        all.emplace_back(std::move(described));
        ++at;
    }
    return all;
}

/// The expression for a variable of the last response.
Result<std::string> Variables::expressionOf(const Request& request) {
    forgetIfChanged();
    const std::string name = request.arguments["name"].text();
    const std::int64_t reference = request.arguments["variablesReference"].integer().value_or(0);
    if (reference == 0) {
        return name;
    }
    const auto found = expressions.find({reference, name});
    if (found == expressions.end()) {
        return core::fail(ErrorCode::InvalidArgument, fmt::format("\"{:.100}\" cannot be addressed", name));
    }
    return found->second;
}

Result<Dict> Variables::set(const std::string& expression, const Request& request) {
    ET_TRY(debuggee.ask(fmt::format("set {} = {}", expression, request.arguments["value"].text())));
    debuggee.markChanged();
    ET_ASSIGN(const JsonText answer, debuggee.ask("print " + expression));
    const JsonValue data = answer["value"]["data"];
    const bool isElement = expression.ends_with(']') && data.items().size() == 1;
    return Dict{{"value", isElement ? data.items().front().display() : summary(answer["value"])}};
}

Result<Dict> Variables::setVariable(const Request& request) {
    ET_ASSIGN(const std::string expression, expressionOf(request));
    return set(expression, request);
}

Result<Dict> Variables::setExpression(const Request& request) {
    return set(request.arguments["expression"].text(), request);
}

Result<Dict> Variables::evaluate(const Request& request) {
    const std::string expression = request.arguments["expression"].text();
    const auto print = [&] { return debuggee.ask("print " + expression); };
    auto answer = request.arguments["context"].text() == "repl" ? debuggee.ask(expression) : print();
    if (!answer && request.arguments["context"].text() == "repl") {
        if (auto printed = print()) {
            answer = std::move(printed);
        }
    }
    if (!answer) {
        return std::unexpected(std::move(answer).error());
    }
    if (const JsonValue value = (*answer)["value"]) {
        Dict described = variable("result", value);
        described.front() = {"result", summary(value)};
        return described;
    }
    const JsonValue info = (*answer)["info"];
    std::string text = info["text"] ? info["text"].display() : answer->root().display();
    debuggee.markChanged();  // the command may have been an edit
    return Dict{{"result", std::move(text)}, {"variablesReference", std::int64_t{0}}};
}

Result<Dict> Variables::dataBreakpointInfo(const Request& request) {
    ET_ASSIGN(const std::string expression, expressionOf(request));
    const auto printed = debuggee.ask("print " + expression);
    if (!printed) {
        return Dict{{"dataId", {}}, {"description", printed.error().message}};
    }
    return Dict{{"dataId", expression},
                {"description", fmt::format("{} changes", request.arguments["name"].text())},
                {"accessTypes", List{"write"}},
                {"canPersist", false}};
}

}  // namespace et::cli::dap
