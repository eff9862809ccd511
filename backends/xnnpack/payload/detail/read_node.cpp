#include "backends/xnnpack/payload/detail/read_node.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <array>
#include <initializer_list>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

class NodeReader {
  public:
    NodeReader(FlatView& flatView, const schema::Node& from, const FindValue& findValue,
               const FieldPath& where)
        : view(flatView), table(from), content(from.kind()), find(findValue), path(where) {}

    Result<PayloadNode> read() {
        const auto number = static_cast<std::uint8_t>(table.kind_type());
        node.facts = nodeKind(number);
        if (node.facts == nullptr || content == nullptr) {
            return view.fail(ErrorCode::Unsupported, path, &table,
                             fmt::format("no support for nodes of kind {}", number));
        }
        node.debugHandle = table.debug_handle();
        if (const schema::OutputRange* range = table.output_range()) {
            node.range = OutputRange{.min = range->min(), .max = range->max()};
        }
        ET_TRY(readForm());
        if ((node.flags & ~node.facts->flags) != 0) {
            return view.fail(
                ErrorCode::Unsupported, path, &table,
                fmt::format("no support for the flags {:#x} of {}", node.flags, node.facts->name));
        }
        return std::move(node);
    }

  private:
    template <class Table>
    const Table& as() const {
        return FlatView::unionAs<Table>(content);
    }

    Result<ValueIndex> value(std::uint32_t id) const {
        const auto found = find(id);
        if (!found) {
            return view.fail(ErrorCode::Format, path, &table,
                             fmt::format("expected the id of a value, got {}", id));
        }
        return *found;
    }

    /// What nodes of all forms have.
    template <class Table>
    Result<> ends(const Table& from, std::initializer_list<std::uint32_t> inputs) {
        for (const std::uint32_t id : inputs) {
            ET_ASSIGN(const ValueIndex index, value(id));
            node.inputs.push_back(index);
        }
        ET_ASSIGN(const ValueIndex output, value(from.output()));
        node.outputs.push_back(output);
        node.flags = from.flags();
        return {};
    }

    template <class Table>
    Result<> weighted(const Table& from) {
        ET_TRY(ends(from, {from.input(), from.filter()}));
        ValueIndex bias = noValue;
        if (from.bias() != XNN_INVALID_VALUE_ID) {
            ET_ASSIGN(bias, value(from.bias()));
        }
        node.inputs.push_back(bias);
        return {};
    }

    Result<std::vector<std::uint32_t>> list(const flatbuffers::Vector<std::uint32_t>* from) {
        ET_ASSIGN(auto numbers, view.copy<std::uint32_t>(from, path));
        if (numbers.size() > XNN_MAX_TENSOR_DIMS) {
            return view.fail(
                ErrorCode::Unsupported, path, &table,
                fmt::format("expected at most {} dimensions, got {}", XNN_MAX_TENSOR_DIMS, numbers.size()));
        }
        return numbers;
    }

    template <class Table>
    static ImagePadding padding(const Table& from) {
        return {.top = from.padding_top(),
                .right = from.padding_right(),
                .bottom = from.padding_bottom(),
                .left = from.padding_left()};
    }

    Result<> convolution() {
        const auto& from = as<schema::Convolution>();
        node.fields = ConvolutionFields{.padding = padding(from),
                                        .kernel = {from.kernel_height(), from.kernel_width()},
                                        .stride = {from.stride_height(), from.stride_width()},
                                        .dilation = {from.dilation_height(), from.dilation_width()},
                                        .adjustment = {from.adjustment_height(), from.adjustment_width()},
                                        .groups = from.groups(),
                                        .groupInputChannels = from.group_input_channels(),
                                        .groupOutputChannels = from.group_output_channels()};
        return weighted(from);
    }

    Result<> pooling() {
        const auto& from = as<schema::Pooling>();
        node.fields = PoolingFields{.padding = padding(from),
                                    .window = {from.window_height(), from.window_width()},
                                    .stride = {from.stride_height(), from.stride_width()},
                                    .dilation = {from.dilation_height(), from.dilation_width()}};
        return ends(from, {from.input()});
    }

    Result<> argMaxPooling() {
        const auto& from = as<schema::ArgMaxPooling>();
        const HeightWidth window{from.window_height(), from.window_width()};
        node.fields =
            PoolingFields{.padding = padding(from), .window = window, .stride = window, .dilation = {1, 1}};
        ET_TRY(ends(from, {from.input()}));
        ET_ASSIGN(const ValueIndex index, value(from.output_index()));
        node.outputs.push_back(index);
        return {};
    }

    Result<> concatenate() {
        const auto& from = as<schema::Concatenate>();
        // Written from a signed number.
        node.fields = ConcatenateFields{.axis = static_cast<std::int32_t>(from.axis())};
        ET_TRY(ends(from, {}));
        const std::array all{from.input1(), from.input2(), from.input3(), from.input4(), from.input5()};
        for (std::size_t i = 0; i < node.facts->inputs; ++i) {
            ET_ASSIGN(const ValueIndex index, value(all[i]));
            node.inputs.push_back(index);
        }
        return {};
    }

    Result<> transpose() {
        const auto& from = as<schema::Transpose>();
        ET_ASSIGN(auto order, list(from.order()));
        node.fields = TransposeFields{.order = std::move(order)};
        return ends(from, {from.input()});
    }
    Result<> reshape() {
        const auto& from = as<schema::Reshape>();
        ET_ASSIGN(auto sizes, list(from.sizes()));
        node.fields = ReshapeFields{.sizes = std::move(sizes)};
        return ends(from, {from.input()});
    }
    Result<> slice() {
        const auto& from = as<schema::Slice>();
        ET_ASSIGN(auto offsets, list(from.offsets()));
        ET_ASSIGN(auto sizes, list(from.sizes()));
        node.fields = SliceFields{.offsets = std::move(offsets), .sizes = std::move(sizes)};
        return ends(from, {from.input()});
    }
    Result<> pad() {
        const auto& from = as<schema::Pad>();
        ET_ASSIGN(auto before, list(from.before()));
        ET_ASSIGN(auto after, list(from.after()));
        node.fields =
            PadFields{.before = std::move(before), .after = std::move(after), .value = from.number()};
        return ends(from, {from.input()});
    }

    Result<> readForm() {
        switch (node.facts->form) {
            case NodeForm::Unary:
            case NodeForm::Softmax:
            case NodeForm::Copy:
            case NodeForm::GlobalAveragePooling: {
                const auto& from = as<schema::Unary>();
                return ends(from, {from.input()});
            }
            case NodeForm::UnaryNumber: {
                const auto& from = as<schema::UnaryNumber>();
                node.fields = NumberFields{.value = from.number()};
                return ends(from, {from.input()});
            }
            case NodeForm::Binary:
            case NodeForm::BatchMatrixMultiply: {
                const auto& from = as<schema::Binary>();
                return ends(from, {from.input1(), from.input2()});
            }
            case NodeForm::Concatenate:
                return concatenate();
            case NodeForm::FullyConnected:
                return weighted(as<schema::FullyConnected>());
            case NodeForm::Convolution:
            case NodeForm::DepthwiseConvolution:
            case NodeForm::TransposedConvolution:
                return convolution();
            case NodeForm::AveragePooling:
            case NodeForm::MaxPooling:
                return pooling();
            case NodeForm::ArgMaxPooling:
                return argMaxPooling();
            case NodeForm::Transpose:
                return transpose();
            case NodeForm::Reshape:
                return reshape();
            case NodeForm::Slice:
                return slice();
            case NodeForm::Pad:
                return pad();
            case NodeForm::Resize: {
                const auto& from = as<schema::Resize>();
                node.fields = ResizeFields{.size = {from.height(), from.width()}};
                return ends(from, {from.input()});
            }
            case NodeForm::Attention: {
                const auto& from = as<schema::Attention>();
                return ends(from, {from.query(), from.key(), from.value(), from.scale(), from.mask()});
            }
        }
        return {};
    }

    FlatView& view;
    const schema::Node& table;
    const void* content;  ///< the table of the kind
    const FindValue& find;
    const FieldPath& path;
    PayloadNode node;
};

}  // namespace

Result<PayloadNode> readNode(FlatView& view, const schema::Node* table, const FindValue& find,
                             const FieldPath& path) {
    return NodeReader(view, *table, find, path).read();
}

}  // namespace et::backends::xnnpack
