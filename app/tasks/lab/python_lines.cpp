#include "app/tasks/lab/python_lines.h"

#include "backends/reference/node_values.h"
#include "inspector/names/python_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace et::tasks {
namespace {

using etrecord::ExportedGraph;
using etrecord::Node;

/// Referent of a word in a message.
struct Referent {
    const Node* node = nullptr;
    std::string_view how{};  ///< if the word names a value instead of the node: how the node uses it
};

/// Maps words of a message to nodes in the graphs of a method.
class NamedPlaces {
  public:
    explicit NamedPlaces(const ExportedGraph& graph) { add(graph); }

    [[nodiscard]] std::optional<Referent> of(std::string_view word, bool quoted) const {
        const auto named = std::ranges::find(nodes, word, &Node::name);
        if (named != nodes.end()) {
            return Referent{.node = *named};
        }
        return quoted ? ofValue(word) : std::nullopt;
    }

  private:
    void add(const ExportedGraph& graph) {
        for (const Node& node : graph.nodes) {
            nodes.push_back(&node);
            for (const etrecord::Argument& argument : node.inputs) {
                if (const auto* inner =
                        std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&argument.value)) {
                    add((*inner)->graph);
                }
            }
        }
    }

    [[nodiscard]] std::optional<Referent> ofValue(std::string_view value) const {
        const auto has = [&](const std::vector<etrecord::Argument>& arguments) {
            return std::ranges::contains(backends::reference::namesIn(arguments), value);
        };
        const auto maker = std::ranges::find_if(nodes, [&](const Node* node) { return has(node->outputs); });
        if (maker != nodes.end()) {
            return Referent{.node = *maker, .how = "made by"};
        }
        const auto reader = std::ranges::find_if(nodes, [&](const Node* node) { return has(node->inputs); });
        return reader == nodes.end() ? std::nullopt
                                     : std::optional(Referent{.node = *reader, .how = "read by"});
    }

    std::vector<const Node*> nodes;
};

}  // namespace

std::string pythonLine(const Node& node) {
    const auto frames = inspector::parseFrames(node.stackTrace);
    const auto frame = inspector::ownFrame(frames);
    if (!frame) {
        return {};
    }
    return fmt::format("{}:{}", core::printable(frame->path.substr(frame->path.rfind('/') + 1)), frame->line);
}

core::Error withPythonLine(core::Error error, const etrecord::Record& record, std::string_view method) {
    const ExportedGraph* const graph = record.edgeGraph(method);
    if (graph == nullptr) {
        return error;
    }
    const NamedPlaces places(*graph);
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const std::string_view message = error.message;
    std::size_t start = message.find_first_of(letters);
    while (start != std::string_view::npos) {
        const std::size_t end = std::min(message.find_first_not_of(letters, start), message.size());
        const bool quoted =
            start > 0 && message[start - 1] == '"' && end < message.size() && message[end] == '"';
        const auto place = places.of(message.substr(start, end - start), quoted);
        const std::string line = place ? pythonLine(*place->node) : std::string();
        if (!line.empty()) {
            const std::string text =
                place->how.empty()
                    ? fmt::format(" ({})", line)
                    : fmt::format(" ({} {}, {})", place->how, core::printable(place->node->name), line);
            error.message += message.ends_with(text) ? std::string() : text;
            return error;
        }
        start = message.find_first_of(letters, end);
    }
    return error;
}

}  // namespace et::tasks
