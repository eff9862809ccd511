#include "app/tasks/debug/breakpoints.h"

#include "app/tasks/base/suggestion.h"
#include "app/tasks/debug/command_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

BreakSite siteOf(const MethodIndex& method, const InstructionSite& site,
                 std::optional<std::size_t> node = std::nullopt) {
    return {.method = std::string(method.method().name),
            .chain = site.chain,
            .instruction = site.instruction,
            .node = node};
}

std::string siteText(const BreakSite& site) {
    return site.node ? fmt::format("{}.{}", site.instruction, *site.node)
                     : fmt::format("{}", site.instruction);
}

std::string sitesText(const std::vector<BreakSite>& sites) {
    constexpr std::size_t shown = 12;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(shown, sites.size()); ++i) {
        texts.push_back(siteText(sites[i]));
    }
    return fmt::format("{}{}", fmt::join(texts, ", "), sites.size() > shown ? ", ..." : "");
}

/// "17", "17.2", for chain 0.
Result<Location> findInstruction(const MethodIndex& method, std::string_view text) {
    const std::size_t dot = text.find('.');
    const auto number = parseNumber<std::int32_t>(text.substr(0, dot));
    const InstructionSite* const site = number ? method.find(0, *number) : nullptr;
    if (site == nullptr) {
        return fail(ErrorCode::NotFound,
                    fmt::format("{} has no instruction {}: it has {}", method.method().name,
                                core::printable(text), method.sites().size()));
    }
    Location location{.text = std::string(text)};
    std::optional<std::size_t> node;
    if (dot != std::string_view::npos) {
        node = parseNumber<std::size_t>(text.substr(dot + 1));
        if (!node || *node >= site->inside.size()) {
            return fail(ErrorCode::NotFound,
                        fmt::format("instruction {} ({}) has {} operators inside, no {}", *number, site->op,
                                    site->inside.size(), core::printable(text.substr(dot + 1))));
        }
    }
    location.sites.push_back(siteOf(method, *site, node));
    return location;
}

/// All instructions and operators inside delegates with one of these handles. An operator inside a delegate
/// replaces the delegate's call.
std::vector<BreakSite> sitesWithHandles(const MethodIndex& method,
                                        const std::vector<core::DebugHandle>& handles) {
    const auto hasAny = [&](const OperatorOrigin& origin) {
        return std::ranges::any_of(
            origin.handles, [&](core::DebugHandle each) { return std::ranges::contains(handles, each); });
    };
    std::vector<BreakSite> sites;
    for (const InstructionSite& site : method.sites()) {
        const std::size_t before = sites.size();
        for (std::size_t node = 0; node < site.inside.size(); ++node) {
            if (hasAny(site.inside[node].origin)) {
                sites.push_back(siteOf(method, site, node));
            }
        }
        if (sites.size() == before && hasAny(site.origin)) {
            sites.push_back(siteOf(method, site));
        }
    }
    return sites;
}

/// Explains handles that no operator inside a delegate has, although its call has them.
std::string fusedText(const MethodIndex& method, const Location& location,
                      const std::vector<core::DebugHandle>& handles) {
    for (const BreakSite& each : location.sites) {
        const InstructionSite* const site = method.find(each.chain, each.instruction);
        if (!each.node && site != nullptr && site->delegate && !site->inside.empty()) {
            std::vector<std::string> names = method.originOf(handles).nodes;
            return fmt::format("{}: fused into instruction {} ({}), which has no operator for {}",
                               location.text, site->instruction, site->op,
                               names.empty() ? "it" : fmt::format("{}", fmt::join(names, ", ")));
        }
    }
    return {};
}

void explainSites(Location& location) {
    if (location.message.empty() && location.sites.size() > 1) {
        location.message = fmt::format("{} maps to {} instructions: {}{}", location.text,
                                       location.sites.size(), sitesText(location.sites),
                                       location.isRegion ? "; stops at the first of those in a row" : "");
    }
}

/// Files that `given` may mean: the same path, or one that ends in it.
std::vector<const inspector::SourceFile*> filesNamed(const inspector::SourceIndex& lines,
                                                     std::string_view given) {
    std::vector<const inspector::SourceFile*> found;
    for (const inspector::SourceFile& file : lines.files) {
        if (file.path == given || (file.path.ends_with(given) && file.path.size() > given.size() &&
                                   file.path[file.path.size() - given.size() - 1] == '/')) {
            found.push_back(&file);
        }
    }
    return found;
}

/// The nearest lines with instructions, at most two before and after.
std::string nearestLines(const inspector::SourceFile& file, std::int64_t line) {
    constexpr std::size_t shown = 2;
    std::vector<std::int64_t> before;
    std::vector<std::int64_t> after;
    for (const inspector::SourceLine& each : file.lines) {
        if (each.number < line) {
            before.push_back(each.number);
        } else if (after.size() < shown) {
            after.push_back(each.number);
        }
    }
    before.erase(before.begin(), before.end() - static_cast<std::ptrdiff_t>(std::min(shown, before.size())));
    before.insert(before.end(), after.begin(), after.end());
    return fmt::format("{}", fmt::join(before, ", "));
}

Result<Location> findLine(const MethodIndex& method, std::string_view file, std::int64_t line,
                          std::string_view text) {
    ET_ASSIGN(const inspector::SourceIndex* const lines, method.lines());
    const auto files = filesNamed(*lines, file);
    if (files.empty()) {
        std::vector<std::string> known;
        for (const inspector::SourceFile& each : lines->files) {
            known.emplace_back(each.path);
        }
        return fail(
            ErrorCode::NotFound,
            known.empty()
                ? fmt::format("{}: no instruction has a Python line: give the ETRecord of the program",
                              core::printable(text))
                : fmt::format("no file '{}': the record has {}", core::printable(file),
                              core::printable(fmt::format("{}", fmt::join(known, ", ")))));
    }
    if (files.size() > 1) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("'{}' means both {} and {}", core::printable(file),
                                core::printable(files[0]->path), core::printable(files[1]->path)));
    }
    const inspector::SourceLine* const found = files.front()->line(line);
    Location location{.text = std::string(text), .isRegion = true};
    if (found != nullptr) {
        location.sites = sitesWithHandles(method, found->handles);
        for (const core::InstructionId each : found->instructions) {
            if (const InstructionSite* const site = method.find(0, each.value)) {
                location.sites.push_back(siteOf(method, *site));
            }
        }
    }
    if (found == nullptr || location.sites.empty()) {
        return fail(
            ErrorCode::NotFound,
            fmt::format("{} maps to no instruction{}; nearest lines that do: {}", core::printable(text),
                        found != nullptr ? " (its operators were removed or folded)" : "",
                        nearestLines(*files.front(), line)));
    }
    location.message = fusedText(method, location, found->handles);
    return location;
}

/// All instructions for which `wanted` holds, and operators inside delegates likewise.
Location findAll(const MethodIndex& method, std::string_view text,
                 const std::function<bool(std::string_view op, const OperatorOrigin& origin)>& wanted) {
    Location location{.text = std::string(text)};
    for (const InstructionSite& site : method.sites()) {
        if (wanted(site.op, site.origin)) {
            location.sites.push_back(siteOf(method, site));
            continue;
        }
        for (std::size_t node = 0; node < site.inside.size(); ++node) {
            if (wanted(site.inside[node].kind, site.inside[node].origin)) {
                location.sites.push_back(siteOf(method, site, node));
            }
        }
    }
    return location;
}

std::vector<std::string> operatorNames(const MethodIndex& method) {
    std::vector<std::string> names;
    for (const InstructionSite& site : method.sites()) {
        names.push_back(site.op);
        for (const DelegateOperator& each : site.inside) {
            names.push_back(each.kind);
        }
    }
    std::ranges::sort(names);
    const auto rest = std::ranges::unique(names);
    names.erase(rest.begin(), rest.end());
    return names;
}

Result<Location> findOperator(const MethodIndex& method, std::string_view text) {
    const std::string pattern = dottedName(text);
    Location location = findAll(method, text, [&](std::string_view op, const OperatorOrigin&) {
        return expression::matchesWildcards(op, pattern);
    });
    if (location.sites.empty()) {
        const std::vector<std::string> known = operatorNames(method);
        return fail(ErrorCode::NotFound,
                    fmt::format("no instruction or operator '{}' in {}{}", core::printable(text),
                                method.method().name, didYouMean(pattern, known)));
    }
    return location;
}

Result<Location> findModule(const MethodIndex& method, std::string_view name, std::string_view text) {
    const auto isInside = [&](const std::optional<std::string>& module) {
        return module &&
               (expression::matchesWildcards(*module, name) ||
                (module->starts_with(name) && module->size() > name.size() && (*module)[name.size()] == '.'));
    };
    Location location = findAll(method, text, [&](std::string_view, const OperatorOrigin& origin) {
        return isInside(origin.module);
    });
    location.isRegion = true;
    if (!location.sites.empty()) {
        return location;
    }
    std::vector<std::string> known;
    for (const InstructionSite& site : method.sites()) {
        known.push_back(site.origin.module.value_or(""));
    }
    return fail(ErrorCode::NotFound,
                method.hasRecord()
                    ? fmt::format("no instruction is in module '{}'{}", core::printable(name),
                                  didYouMean(name, known))
                    : fmt::format("{}: modules are known only with the ETRecord of the program",
                                  core::printable(text)));
}

Result<Location> findHandle(const MethodIndex& method, std::string_view number, std::string_view text) {
    const auto handle = parseNumber<std::int64_t>(number);
    if (!handle) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected handle:N, got '{}'", core::printable(text)));
    }
    const std::vector handles{core::DebugHandle(*handle)};
    Location location{.text = std::string(text), .sites = sitesWithHandles(method, handles)};
    if (location.sites.empty()) {
        return fail(ErrorCode::NotFound,
                    fmt::format("no instruction has debug handle {}{}", *handle,
                                method.hasRecord() ? "" : ": give the ETRecord of the program"));
    }
    location.message = fusedText(method, location, handles);
    return location;
}

Result<Location> findDelegate(const MethodIndex& method, std::string_view number, std::string_view text) {
    const auto index = parseNumber<std::size_t>(number);
    Location location{.text = std::string(text)};
    for (const InstructionSite& site : method.sites()) {
        if (index && site.delegate == index) {
            location.sites.push_back(siteOf(method, site));
        }
    }
    if (location.sites.empty()) {
        return fail(ErrorCode::NotFound, fmt::format("no delegate '{}': {} has {}", core::printable(number),
                                                     method.method().name, method.method().delegates.size()));
    }
    return location;
}

bool isPlainNumber(std::string_view text) {
    return !text.empty() && text.front() >= '0' && text.front() <= '9' &&
           text.find_first_not_of("0123456789.") == std::string_view::npos;
}

Result<Location> findIn(const ProgramIndex& index, std::string_view current, std::string_view text) {
    const std::size_t colon = text.rfind(':');
    const bool hasColon = colon != std::string_view::npos && (colon == 0 || text[colon - 1] != ':');
    const std::string_view before = hasColon ? text.substr(0, colon) : std::string_view();
    const std::string_view after = hasColon ? text.substr(colon + 1) : std::string_view();
    if (before == "method" || (isPlainNumber(after) && index.method(before))) {
        const bool isStart = before == "method";
        ET_ASSIGN(const MethodIndex* const method, index.method(isStart ? after : before));
        ET_ASSIGN(Location location, findInstruction(*method, isStart ? "0" : after));
        location.text = text;
        return location;
    }
    ET_ASSIGN(const MethodIndex* const method, index.method(current));
    if (isPlainNumber(text)) {
        return findInstruction(*method, text);
    }
    if (before == "handle") {
        return findHandle(*method, after, text);
    }
    if (before == "delegate") {
        return findDelegate(*method, after, text);
    }
    if (before == "module") {
        return findModule(*method, after, text);
    }
    if (const auto line = parseNumber<std::int64_t>(after); hasColon && line) {
        return findLine(*method, before, *line, text);
    }
    return findOperator(*method, text);
}

}  // namespace

bool Location::contains(const BreakSite& site) const {
    return std::ranges::contains(sites, site);
}

Result<Location> findLocation(const ProgramIndex& index, std::string_view current, std::string_view text) {
    if (text.empty()) {
        return fail(
            ErrorCode::InvalidArgument,
            "expected a location: an instruction, an operator, file.py:LINE, module:NAME or handle:N");
    }
    ET_ASSIGN(Location location, findIn(index, current, text));
    explainSites(location);
    return location;
}

bool readsResults(const expression::Expression& condition) {
    return std::ranges::any_of(condition.names(), [](const std::string& name) {
        return expression::elementIndex(name, "out").has_value();
    });
}

}  // namespace et::tasks
