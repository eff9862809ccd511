#include "backends/tosa/locations.h"

#include "runtime/archive/json.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <span>

namespace et::backends::tosa {
namespace {

using archive::JsonValue;
using core::Result;

constexpr std::size_t longestOrigin = 256;

std::string textOf(const JsonValue& value) {
    const auto text = value.isString() ? value.string() : Result<std::string_view>(std::string_view());
    return text ? core::printable(text->substr(0, longestOrigin)) : std::string();
}

std::string memberText(const JsonValue& object, std::string_view name) {
    const auto member = object.find(name);
    return member ? textOf(*member) : std::string();
}

/// The last node is the one that the user's export made.
void readNodes(const JsonValue& torch, Origin& origin) {
    const auto trace = torch.find("node_trace");
    if (!trace || !trace->isArray()) {
        return;
    }
    static_cast<void>(trace->forEach([&](const JsonValue& node) -> Result<> {
        origin.node = memberText(node, "name");
        origin.target = memberText(node, "target");
        return {};
    }));
}

/// The last module is the innermost: a path and a class.
void readModules(const JsonValue& torch, Origin& origin) {
    const auto stack = torch.find("nn_module_stack");
    if (!stack || !stack->isObject()) {
        return;
    }
    static_cast<void>(stack->forEachMember([&](std::string_view, const JsonValue& module) -> Result<> {
        std::string text;
        if (module.isArray()) {
            ET_TRY(module.forEach([&](const JsonValue& each) -> Result<> {
                const std::string item = textOf(each);
                text = text.empty() ? item : fmt::format("{} ({})", text, item);
                return {};
            }));
        }
        origin.module = std::move(text);
        return {};
    }));
}

/// Stack frames are pairs of lines, the outermost first; frames of torch and of the exporter follow those of
/// the model.
void readSource(const JsonValue& torch, Origin& origin) {
    const auto stack = torch.find("stack_trace");
    if (!stack || !stack->isArray()) {
        return;
    }
    static_cast<void>(stack->forEach([&](const JsonValue& line) -> Result<> {
        std::string text = textOf(line);
        text.erase(0, text.find_first_not_of(' '));
        const bool isLibrary = text.contains("/torch/") || text.contains("/executorch/");
        if (text.starts_with("File ") && (origin.source.empty() || !isLibrary)) {
            origin.source = std::move(text);
        }
        return {};
    }));
}

}  // namespace

Origin originOf(std::string_view location) {
    Origin origin;
    if (!location.starts_with('{')) {
        return origin;
    }
    const auto document = archive::JsonDocument::parse(std::as_bytes(std::span(location)), "location");
    if (!document) {
        return origin;
    }
    const JsonValue root = document->root();
    if (const auto torch = root.find("torch_info")) {
        readNodes(*torch, origin);
        readModules(*torch, origin);
        readSource(*torch, origin);
    }
    return origin;
}

}  // namespace et::backends::tosa
