#include "etrecord/detail/metadata.h"
#include "runtime/archive/json_element.h"

#include <algorithm>
#include <span>
#include <utility>

namespace et::etrecord {
namespace {

using archive::domElement;
using archive::JsonDocument;
using simdjson::dom::element;

std::string textOf(const element& object, std::string_view key) {
    std::string_view text;
    return object.at_key(key).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

NodeSource readSource(const element& object, std::uint32_t depth) {
    NodeSource source{.name = textOf(object, "name"),
                      .target = textOf(object, "target"),
                      .pass = textOf(object, "pass_name"),
                      .action = textOf(object, "action"),
                      .graphId = 0,
                      .depth = depth};
    std::int64_t graphId = 0;
    if (object.at_key("graph_id").get(graphId) == simdjson::SUCCESS) {
        source.graphId = graphId;
    }
    return source;
}

void writeSource(core::JsonWriter& out, const NodeSource& source) {
    out.member("name", [&] { out.string(source.name); });
    out.member("target", [&] { out.string(source.target); });
    out.member("graph_id", [&] { out.integer(source.graphId); });
    out.member("pass_name", [&] { out.string(source.pass); });
    out.member("action", [&] { out.string(source.action); });
}

/// A history is JSON in a string, nested as deep as the history is long, so it is traversed without
/// recursion.
std::vector<NodeSource> parseHistory(std::string_view text) {
    const auto document = JsonDocument::parse(std::as_bytes(std::span(text)), "from_node");
    if (!document) {
        return {};
    }
    std::vector<NodeSource> history;
    // Pending elements, the next one last: depth-first traversal without recursion.
    std::vector<std::pair<element, std::uint32_t>> pending;
    const auto push = [&](const element& list, std::uint32_t depth) {
        simdjson::dom::array array;
        if (list.get(array) != simdjson::SUCCESS) {
            return;
        }
        const std::size_t first = pending.size();
        for (const element each : array) {
            pending.emplace_back(each, depth);
        }
        std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
    };
    push(domElement(document->root().raw()), 0);
    while (!pending.empty()) {
        const auto [object, depth] = pending.back();
        pending.pop_back();
        if (!object.is_object()) {
            return {};
        }
        history.push_back(readSource(object, depth));
        element older;
        if (object.at_key("from_node").get(older) == simdjson::SUCCESS) {
            push(older, depth + 1);
        }
    }
    return history;
}

}  // namespace

std::vector<NodeSource> Node::history() const {
    const auto entry = std::ranges::find(metadata, "from_node",
                                         [](const auto& each) { return std::string_view(each.first); });
    return entry == metadata.end() ? std::vector<NodeSource>() : parseHistory(entry->second);
}

std::string serializeHistory(std::span<const NodeSource> history) {
    core::JsonWriter out(core::NonFinite::Python);
    out.beginArray();
    std::uint32_t open = 0;  // open objects around the next source
    for (const NodeSource& source : history) {
        // A source is at most one level below the previous one, even if its depth is larger.
        const std::uint32_t depth = std::min(source.depth, open);
        for (; open > depth; --open) {
            out.endArray();
            out.endObject();
        }
        out.beginObject();
        writeSource(out, source);
        out.key("from_node");
        out.beginArray();
        ++open;
    }
    for (; open > 0; --open) {
        out.endArray();
        out.endObject();
    }
    out.endArray();
    return out.take();
}

}  // namespace et::etrecord
