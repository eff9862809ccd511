#include "inspector/explain/delegate_facts.h"

#include "backends/builtin.h"
#include "backends/compile_specs.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/module_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace et::inspector {
namespace {

using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;

constexpr std::size_t maxDelegates = 64;
constexpr std::size_t maxNamed = 6;

struct DelegateContents {
    std::map<std::string, std::size_t> kinds{};
    std::vector<std::string> manyDimensions{};  ///< "ViewNode: float32 [1, 2, 3, 4, 5]"
    std::string node{};                         ///< the node that the log names
    std::string specs{};                        ///< of the first delegate
};

std::string typeOf(const GraphValue& value) {
    std::string out = value.type;
    for (const core::GraphAttribute& attribute : value.attributes) {
        if (attribute.name.contains("scale") || attribute.name.contains("zero")) {
            out += fmt::format(" {} {}", attribute.name, attribute.text);
        }
    }
    return out;
}

std::string nodeText(const ModelGraph& graph, const GraphNode& node) {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    const auto describe = [&](core::GraphValueId id) { return typeOf(graph.value(id)); };
    std::ranges::transform(node.inputs, std::back_inserter(inputs), describe);
    std::ranges::transform(node.outputs, std::back_inserter(outputs), describe);
    return core::printable(
        fmt::format("{}: {} -> {}", node.kind, fmt::join(inputs, ", "), fmt::join(outputs, ", ")));
}

bool hasManyDimensions(const GraphValue& value) {
    constexpr std::ptrdiff_t mostCommas = 3;
    const std::size_t open = value.type.find('[');
    return open != std::string::npos && std::ranges::count(value.type.substr(open), ',') > mostCommas;
}

void addGraph(const ModelGraph& graph, const std::string& number, DelegateContents& contents) {
    for (const auto& [kind, count] : graph.kinds()) {
        contents.kinds[core::printable(kind)] += count;
    }
    for (const GraphNode& node : graph.nodes()) {
        const bool isNamed = std::ranges::any_of(node.debugHandles, [&](core::DebugHandle handle) {
            return std::to_string(handle.value) == number;
        });
        if (isNamed && contents.node.empty()) {
            contents.node = nodeText(graph, node);
        }
        const bool isLarge = std::ranges::any_of(
            node.outputs, [&](core::GraphValueId id) { return hasManyDimensions(graph.value(id)); });
        if (isLarge && contents.manyDimensions.size() < maxNamed) {
            contents.manyDimensions.push_back(nodeText(graph, node));
        }
    }
}

std::string specsText(const program::Delegate& delegate) {
    std::vector<std::string> specs;
    for (const program::CompileSpec& spec : delegate.compileSpecs) {
        specs.push_back(
            core::printable(fmt::format("{}: {}", spec.key, backends::specLine(delegate.backend, spec))));
    }
    return fmt::format("{}", fmt::join(specs, "; "));
}

std::string kindsText(const std::map<std::string, std::size_t>& kinds) {
    std::vector<std::pair<std::size_t, std::string>> byCount;
    for (const auto& [kind, count] : kinds) {
        byCount.emplace_back(count, kind);
    }
    std::ranges::sort(byCount, std::greater());
    std::vector<std::string> texts;
    for (const auto& [count, kind] : byCount) {
        texts.push_back(fmt::format("{} {}", count, kind));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

void addDelegateFacts(const program::Program& program, const program::Method& method,
                      std::optional<program::DelegateId> delegate, Facts& facts) {
    DelegateContents contents;
    const auto number = facts.find("number");
    const executor::ModuleData named(program, {});
    for (std::size_t i = 0; i < std::min(method.delegates.size(), maxDelegates); ++i) {
        if (delegate && delegate->value != i) {
            continue;
        }
        const program::Delegate& each = method.delegates[i];
        if (contents.specs.empty()) {
            contents.specs = specsText(each);
        }
        const executor::Backend* const backend = executor::findBackend(backends::describable(), each.backend);
        if (backend == nullptr) {
            continue;
        }
        if (const auto graph = backend->describe(each, named)) {
            addGraph(*graph, number == facts.end() ? std::string() : number->second, contents);
        }
    }
    const auto add = [&](std::string_view name, std::string text) {
        if (!text.empty()) {
            facts.insert_or_assign(std::string(name), std::move(text));
        }
    };
    add("program.delegateNodes", kindsText(contents.kinds));
    add("program.manyDimensions", fmt::format("{}", fmt::join(contents.manyDimensions, "; ")));
    add("program.node", contents.node);
    add("program.specs", contents.specs);
}

}  // namespace et::inspector
