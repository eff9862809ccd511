#include "etdump/detail/debug_value.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace et::etdump::detail {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;

/// The verifier checks where a vector begins, but not the alignment of its 64-bit elements, so they are read
/// as bytes.
std::vector<std::int64_t> decodeLongs(const flatbuffers::Vector<std::int64_t>* longs, ContentBudget& budget) {
    if (longs == nullptr || longs->size() == 0 ||
        !budget.take(std::uint64_t{longs->size()} * sizeof(std::int64_t))) {
        return {};
    }
    std::vector<std::int64_t> values(longs->size());
    std::memcpy(values.data(), longs->Data(), values.size() * sizeof(std::int64_t));
    if constexpr (std::endian::native == std::endian::big) {
        std::ranges::transform(values, values.begin(),
                               [](std::int64_t value) { return std::byteswap(value); });
    }
    return values;
}

DebugTensor decodeTensor(const fb::Tensor& tensor, ContentBudget& budget) {
    return {.scalarType = tensor.scalar_type(),
            .sizes = decodeLongs(tensor.sizes(), budget),
            .strides = decodeLongs(tensor.strides(), budget),
            .offset = tensor.offset()};
}

std::vector<DebugTensor> decodeTensors(const fb::TensorList& list, ContentBudget& budget) {
    std::vector<DebugTensor> tensors;
    if (list.tensors() != nullptr) {
        for (const fb::Tensor* tensor : *list.tensors()) {
            tensors.push_back(decodeTensor(*tensor, budget));
        }
    }
    return tensors;
}

/// The content that the tag of `value` selects; empty if it is missing.
decltype(DebugValue::value) decodeContent(const fb::Value& value, ContentBudget& budget) {
    const auto whenThere = [](const auto* part, auto get) {
        return part != nullptr ? decltype(DebugValue::value)(get(*part)) : std::monostate();
    };
    switch (value.val()) {
        case fb::ValueType::Int:
            return whenThere(value.int_value(), [](const fb::Int& part) { return part.int_val(); });
        case fb::ValueType::Bool:
            return whenThere(value.bool_value(), [](const fb::Bool& part) { return part.bool_val(); });
        case fb::ValueType::Float:
            return whenThere(value.float_value(), [](const fb::Float& part) { return part.float_val(); });
        case fb::ValueType::Double:
            return whenThere(value.double_value(), [](const fb::Double& part) { return part.double_val(); });
        case fb::ValueType::Tensor:
            return whenThere(value.tensor(),
                             [&](const fb::Tensor& part) { return decodeTensor(part, budget); });
        case fb::ValueType::TensorList:
            return whenThere(value.tensor_list(),
                             [&](const fb::TensorList& part) { return decodeTensors(part, budget); });
        case fb::ValueType::String:
            return whenThere(value.string_value(), [](const fb::String& part) {
                return flatbuffers::GetStringView(part.string_val());
            });
        case fb::ValueType::Null:
            break;
    }
    return {};  // Null, or a kind from a newer version
}

/// Writes the content of one kind of value, then returns the fields of the Value table.
struct ContentEncoder {
    Builder* builder;

    struct Fields {
        fb::ValueType kind = fb::ValueType::Null;
        flatbuffers::voffset_t slot = 0;  ///< 0: no field except the kind
        flatbuffers::Offset<void> part{};
    };

    template <class Part>
    static Fields fields(fb::ValueType kind, flatbuffers::voffset_t slot, flatbuffers::Offset<Part> part) {
        return {.kind = kind, .slot = slot, .part = part.Union()};
    }
    flatbuffers::Offset<fb::Tensor> write(const DebugTensor& tensor) const {
        const auto sizes = builder->CreateVector(tensor.sizes);
        const auto strides = builder->CreateVector(tensor.strides);
        return fb::CreateTensor(*builder, tensor.scalarType, sizes, strides, tensor.offset);
    }

    Fields operator()(std::monostate) const { return {}; }
    Fields operator()(std::int64_t value) const {
        return fields(fb::ValueType::Int, fb::Value::VT_INT_VALUE, fb::CreateInt(*builder, value));
    }
    Fields operator()(bool value) const {
        return fields(fb::ValueType::Bool, fb::Value::VT_BOOL_VALUE, fb::CreateBool(*builder, value));
    }
    Fields operator()(float value) const {
        return fields(fb::ValueType::Float, fb::Value::VT_FLOAT_VALUE, fb::CreateFloat(*builder, value));
    }
    Fields operator()(double value) const {
        return fields(fb::ValueType::Double, fb::Value::VT_DOUBLE_VALUE, fb::CreateDouble(*builder, value));
    }
    Fields operator()(std::string_view value) const {
        const auto text = builder->CreateString(value);
        return fields(fb::ValueType::String, fb::Value::VT_STRING_VALUE, fb::CreateString(*builder, text));
    }
    Fields operator()(const DebugTensor& value) const {
        return fields(fb::ValueType::Tensor, fb::Value::VT_TENSOR, write(value));
    }
    Fields operator()(const std::vector<DebugTensor>& value) const {
        std::vector<flatbuffers::Offset<fb::Tensor>> tensors;
        for (const DebugTensor& tensor : value) {
            tensors.push_back(write(tensor));
        }
        const auto list = fb::CreateTensorList(*builder, builder->CreateVector(tensors));
        return fields(fb::ValueType::TensorList, fb::Value::VT_TENSOR_LIST, list);
    }
};

std::size_t tensorBytes(const DebugTensor& tensor) {
    return sizeof(DebugTensor) + (tensor.sizes.size() + tensor.strides.size()) * sizeof(std::int64_t);
}

}  // namespace

DebugValue decodeValue(const fb::Value* value, ContentBudget& budget) {
    if (value == nullptr) {
        return {};
    }
    return {.value = decodeContent(*value, budget),
            .programOutput = value->output() != nullptr && value->output()->bool_val()};
}

std::size_t encodedBytes(const DebugValue& value) {
    if (const auto* text = std::get_if<std::string_view>(&value.value)) {
        return text->size();
    }
    if (const auto* tensor = std::get_if<DebugTensor>(&value.value)) {
        return tensorBytes(*tensor);
    }
    std::size_t bytes = 0;
    if (const auto* tensors = std::get_if<std::vector<DebugTensor>>(&value.value)) {
        for (const DebugTensor& tensor : *tensors) {
            bytes += tensorBytes(tensor);
        }
    }
    return bytes;
}

flatbuffers::Offset<fb::Value> encodeValue(Builder& builder, const DebugValue& value) {
    const ContentEncoder::Fields fields = std::visit(ContentEncoder{&builder}, value.value);
    const auto output = value.programOutput ? fb::CreateBool(builder, true) : flatbuffers::Offset<fb::Bool>();
    fb::ValueBuilder table(builder);
    table.add_val(fields.kind);
    table.add_output(output);
    if (fields.slot != 0) {
        builder.AddOffset(fields.slot, fields.part);
    }
    return table.Finish();
}

}  // namespace et::etdump::detail
