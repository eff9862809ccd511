#include "app/tasks/debug/breakpoints.h"

#include "app/tasks/base/suggestion.h"
#include "app/tasks/debug/command_text.h"
#include "app/tasks/debug/edge_sites.h"
#include "etrecord/exported_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Sorts sites, and removes repeated ones and operators inside a call that is itself a site.
void sortSites(std::vector<BreakSite>& sites) {
    std::ranges::sort(sites);
    std::vector<BreakSite> kept;
    for (BreakSite& each : sites) {
        const bool isInside = !kept.empty() && !kept.back().node && kept.back().method == each.method &&
                              kept.back().chain == each.chain && kept.back().instruction == each.instruction;
        if (!isInside && (kept.empty() || kept.back() != each)) {
            kept.push_back(std::move(each));
        }
    }
    sites = std::move(kept);
}

std::string siteText(const BreakSite& site) {
    return site.node ? fmt::format("{}.{}", site.instruction, *site.node)
                     : fmt::format("{}", site.instruction);
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

/// "fused: aten_relu_default into 0.1 (XNNConv2d)"; empty if no node is.
std::string fusedText(const MethodIndex& method, const std::vector<FusedNode>& fused) {
    constexpr std::size_t shown = 3;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(shown, fused.size()); ++i) {
        const BreakSite& into = fused[i].into;
        const InstructionSite* const site = method.find(into.chain, into.instruction);
        texts.push_back(fmt::format("{} into {} ({})", core::printable(fused[i].name), siteText(into),
                                    into.node ? site->inside[*into.node].kind : site->op));
    }
    return texts.empty()
               ? std::string()
               : fmt::format("fused: {}{}", fmt::join(texts, ", "),
                             fused.size() > shown ? fmt::format(", ... ({} in total)", fused.size()) : "");
}

/// Adds where nodes of the Edge graph run.
void addSites(Location& location, const MethodIndex& method, const std::vector<core::DebugHandle>& handles) {
    EdgeSites found = edgeSites(method, handles);
    std::ranges::move(found.sites, std::back_inserter(location.sites));
    location.message = fusedText(method, found.fused);
}

void explainSites(Location& location) {
    if (location.isRegion && location.sites.size() > 1) {
        location.message =
            fmt::format("{} maps to {} instructions; stops at the first of those in a row{}{}", location.text,
                        location.sites.size(), location.message.empty() ? "" : "; ", location.message);
    }
}

/// Handles of the nodes of the Edge graph for which `wanted` holds.
std::vector<core::DebugHandle> handlesOf(const MethodIndex& method,
                                         const std::function<bool(const etrecord::Node&)>& wanted) {
    std::vector<core::DebugHandle> handles;
    if (const etrecord::ExportedGraph* const graph = method.edgeGraph()) {
        for (const etrecord::Node& node : graph->nodes) {
            if (wanted(node)) {
                handles.insert(handles.end(), node.debugHandles.begin(), node.debugHandles.end());
            }
        }
    }
    return handles;
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
        addSites(location, method, found->handles);
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
    if (const etrecord::ExportedGraph* const graph = method.edgeGraph()) {
        for (const etrecord::Node& node : graph->nodes) {
            names.push_back(node.op);
        }
    }
    std::ranges::sort(names);
    const auto rest = std::ranges::unique(names);
    names.erase(rest.begin(), rest.end());
    return names;
}

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower;
}

/// An operator's name without regard to case: a pattern, or a name whose ends may be missing: "mul",
/// "aten.mul".
class OperatorPattern {
  public:
    explicit OperatorPattern(std::string_view text) : name(lowerCase(dottedName(text))) {
        patterns.push_back(name);
        if (name.find_first_of("*?") == std::string::npos) {
            // "XNNConv2d" has the prefix of its backend.
            patterns.insert(patterns.end(), {name + ".*", "*." + name, "*." + name + ".*", "xnn*" + name});
        }
    }
    [[nodiscard]] bool matches(std::string_view op) const {
        const std::string lower = lowerCase(op);
        return std::ranges::any_of(
            patterns, [&](const std::string& each) { return expression::matchesWildcards(lower, each); });
    }

  private:
    std::string name;
    std::vector<std::string> patterns;
};

Result<Location> findOperator(const MethodIndex& method, std::string_view text) {
    const OperatorPattern pattern(text);
    Location location = findAll(
        method, text, [&](std::string_view op, const OperatorOrigin&) { return pattern.matches(op); });
    addSites(location, method,
             handlesOf(method, [&](const etrecord::Node& node) { return pattern.matches(node.op); }));
    sortSites(location.sites);
    if (location.sites.empty()) {
        const std::vector<std::string> known = operatorNames(method);
        return fail(ErrorCode::NotFound,
                    fmt::format("no instruction or operator '{}' in {}{}", core::printable(text),
                                method.method().name, didYouMean(dottedName(text), known)));
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
    std::vector<std::string> known;
    addSites(location, method, handlesOf(method, [&](const etrecord::Node& node) {
                 known.push_back(node.moduleStack.empty() ? std::string() : node.moduleStack.back().fqn);
                 return isInside(known.back());
             }));
    sortSites(location.sites);
    if (!location.sites.empty()) {
        return location;
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
    Location location{.text = std::string(text)};
    addSites(location, method, handles);
    if (location.sites.empty()) {
        return fail(ErrorCode::NotFound,
                    fmt::format("no instruction has debug handle {}{}", *handle,
                                method.hasRecord() ? "" : ": give the ETRecord of the program"));
    }
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

BreakSite siteOf(const MethodIndex& method, const InstructionSite& site, std::optional<std::size_t> node) {
    return {.method = std::string(method.method().name),
            .chain = site.chain,
            .instruction = site.instruction,
            .node = node};
}

void StopRule::note(const core::Error* error) {
    if (error == nullptr) {
        isResolved = true;
    } else if (!isResolved) {
        unresolved = error->message;
    }
}

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
