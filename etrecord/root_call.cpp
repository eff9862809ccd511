#include "etrecord/root_call.h"

#include "runtime/core/json_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

namespace et::etrecord {
namespace {

/// A container node of a pytree, and a leaf, in the format of torch.utils._pytree.
std::string treeNode(std::string_view type, std::string_view context, std::string_view children) {
    return fmt::format(R"({{"type": "builtins.{}", "context": "{}", "children_spec": [{}]}})", type, context,
                       children);
}
constexpr std::string_view leaf = R"({"type": null, "context": null, "children_spec": []})";
std::string leaves(std::size_t count) {
    return fmt::format("{}", fmt::join(std::vector(count, leaf), ", "));
}

/// Encodes JSON as a JSON string.
std::string quotedJson(std::string_view json) {
    core::JsonWriter writer;
    writer.string(json);
    return writer.take();
}

}  // namespace

std::string rootCall(std::size_t inputs, std::size_t outputs) {
    const std::string in = treeNode("tuple", "null", leaves(inputs)) + ", " + treeNode("dict", "[]", "");
    const std::string out = outputs == 1 ? std::string(leaf) : treeNode("tuple", "null", leaves(outputs));
    return fmt::format(
        R"([{{"fqn": "", "signature": {{"inputs": [], "outputs": [], "in_spec": {}, "out_spec": {}}}}}])",
        quotedJson(fmt::format("[1, {}]", treeNode("tuple", "null", in))),
        quotedJson(fmt::format("[1, {}]", out)));
}

}  // namespace et::etrecord
