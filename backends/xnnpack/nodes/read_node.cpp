#include "backends/xnnpack/nodes/read_node.h"

#include "backends/xnnpack/nodes/detail/node_reader.h"
#include "backends/xnnpack/nodes/node_table.h"

#include <fmt/format.h>
#include <xnnpack.h>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

namespace {

std::uint32_t flagsOf(const NodeFormInfo& form) {
    std::uint32_t bits = 0;
    for (const NodeFlag& flag : form.flags) {
        bits |= flag.bit;
    }
    return bits;
}

}  // namespace

Result<> readUnary(NodeReader& reader) {
    const auto& from = reader.as<schema::Unary>();
    return reader.ends(from, {from.input()});
}

Result<> readBinary(NodeReader& reader) {
    const auto& from = reader.as<schema::Binary>();
    return reader.ends(from, {from.input1(), from.input2()});
}

Result<> NodeReader::read() {
    const auto number = static_cast<std::uint8_t>(table.kind_type());
    node.traits = nodeKind(number);
    if (node.traits == nullptr || table.kind() == nullptr) {
        return view.fail(ErrorCode::Unsupported, path, &table,
                         fmt::format("no support for nodes of kind {}", number));
    }
    node.debugHandle = table.debug_handle();
    if (const schema::OutputRange* range = table.output_range()) {
        node.range = OutputRange{.min = range->min(), .max = range->max()};
    }
    ET_TRY(node.traits->functions->read(*this));
    if ((node.flags & ~flagsOf(*node.traits->functions)) != 0) {
        return view.fail(ErrorCode::Unsupported, path, &table,
                         fmt::format("no support for the flags {:#x} of {}", node.flags, node.traits->name));
    }
    return {};
}

Result<ValueIndex> NodeReader::value(std::uint32_t id) const {
    const auto found = find(id);
    if (!found) {
        return view.fail(ErrorCode::Format, path, &table,
                         fmt::format("expected the id of a value, got {}", id));
    }
    return *found;
}

Result<PayloadDims> NodeReader::list(const flatbuffers::Vector<std::uint32_t>* from) const {
    PayloadDims numbers;
    ET_TRY(view.copyInto(numbers, from, path));
    if (numbers.size() > XNN_MAX_TENSOR_DIMS) {
        return view.fail(
            ErrorCode::Unsupported, path, &table,
            fmt::format("expected at most {} dimensions, got {}", XNN_MAX_TENSOR_DIMS, numbers.size()));
    }
    return numbers;
}

Result<> readNode(FlatView& view, const schema::Node* table, const FindValue& find, const FieldPath& path,
                  PayloadNode& node) {
    return NodeReader(view, *table, find, path, node).read();
}

}  // namespace et::backends::xnnpack
