#include "backends/aoti/describe.h"

#include "backends/aoti/blob_keys.h"
#include "backends/opaque_code.h"
#include "backends/payload_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::aoti {
namespace {

using core::Bytes;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;

constexpr std::size_t maxKernels = 256;
constexpr std::size_t maxKernelName = 256;
constexpr std::string_view nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// Text before the name of a kernel, and the start of the name: Triton's kernels by their names, Metal's in
/// source text.
struct KernelMark {
    std::string_view before;
    std::string_view start;
};
constexpr std::array kernelMarks{KernelMark{"", "triton_"}, KernelMark{"kernel void ", ""}};

void findKernels(std::string_view library, const KernelMark& mark, std::vector<std::string>& names) {
    const std::string text = std::string(mark.before) + std::string(mark.start);
    for (std::size_t at = library.find(text); at != std::string_view::npos && names.size() < maxKernels;
         at = library.find(text, at + 1)) {
        const std::size_t begin = at + mark.before.size();
        const bool isInside = mark.before.empty() && at > 0 && nameCharacters.contains(library[at - 1]);
        const std::size_t end = std::min(library.find_first_not_of(nameCharacters, begin), library.size());
        std::string name(library.substr(begin, std::min(end - begin, maxKernelName)));
        if (!isInside && name.size() > mark.start.size() && !std::ranges::contains(names, name)) {
            names.push_back(std::move(name));
        }
    }
}

Result<DelegateDataList> readKeys(Bytes payload) {
    const program::Delegate delegate{
        .backend = {}, .payload = payload, .segment = std::nullopt, .compileSpecs = {}};
    DelegateDataList keys = blobKeys(delegate, "METHOD");
    if (!keys.isComplete) {
        return core::fail(core::ErrorCode::Format,
                          "expected two lines, the names of the library and of its weights",
                          {.file = {}, .field = "payload", .offset = 0});
    }
    return keys;
}

}  // namespace

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& namedData) {
    ModelGraph graph;
    GraphNode node{.name = "n0", .kind = "AOTInductor library"};
    ET_ASSIGN(const DelegateDataList keys, readKeys(payload));
    constexpr std::array<std::string_view, 2> parts{"library", "weights"};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        GraphValue value{.name = std::string(parts[i]), .type = "opaque", .role = GraphValue::Role::Constant};
        if (payload.empty()) {
            value.attributes.push_back({"data name with METHOD as method", keys.data[i].name});
        } else {
            describeNamedConstant(keys.data[i].name, namedData, value);
        }
        if (i == 0) {
            std::vector<std::string> kernels;
            for (const KernelMark& mark : kernelMarks) {
                findKernels(core::textOf(value.data), mark, kernels);
            }
            if (!kernels.empty()) {
                node.attributes.push_back({"kernels", fmt::format("{}", fmt::join(kernels, ", "))});
            }
        }
        node.inputs.push_back(graph.addValue(std::move(value)));
    }
    addByteCounts(node, payload, payload.size());
    graph.addNode(std::move(node));
    return graph;
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                      PayloadContents& contents) {
    ET_TRY(readKeys(delegate.payload));
    contents.described.add(delegate.payload.data(), delegate.payload.size());
    return {};
}

}  // namespace et::backends::aoti
