#include "runtime/builder/detail/write_values.h"

#include "runtime/builder/detail/flat_file.h"

#include <utility>

namespace et::builder::detail {
namespace {

namespace schema = program::schema;

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using program::InitialData;
using program::TensorInfo;

/// Value position in the file format; none is -1.
std::int32_t position(program::ValueId id) {
    return static_cast<std::int32_t>(id.value);
}
std::int32_t position(const std::optional<program::ValueId>& id) {
    return id ? position(*id) : -1;
}

template <class Ids>
Positions positions(FlatBufferBuilder& builder, const Ids& ids) {
    std::vector<std::int32_t> numbers;
    numbers.reserve(ids.size());
    for (const auto& id : ids) {
        numbers.push_back(position(id));
    }
    return builder.CreateVector(numbers);
}

/// Creates the table of one value.
struct ContentWriter {
    FlatBufferBuilder& builder;
    DataPool& constants;
    DataPool& states;

    Offset<void> operator()(std::monostate) const { return schema::CreateNull(builder).Union(); }
    Offset<void> operator()(std::int64_t number) const { return schema::CreateInt(builder, number).Union(); }
    Offset<void> operator()(bool truth) const { return schema::CreateBool(builder, truth).Union(); }
    Offset<void> operator()(double number) const { return schema::CreateDouble(builder, number).Union(); }
    Offset<void> operator()(std::string_view text) const {
        return schema::CreateString(builder, builder.CreateString(text)).Union();
    }
    Offset<void> operator()(const program::IntList& list) const {
        std::vector<std::int64_t> numbers;
        for (const program::ValueId id : list.items) {
            numbers.push_back(std::int64_t{id.value});
        }
        return schema::CreateIntList(builder, builder.CreateVector(numbers)).Union();
    }
    Offset<void> operator()(const program::DoubleList& list) const {
        return schema::CreateDoubleList(builder, builder.CreateVector(list.items)).Union();
    }
    Offset<void> operator()(const program::BoolList& list) const {
        return schema::CreateBoolList(builder, builder.CreateVector(list.items)).Union();
    }
    Offset<void> operator()(const program::TensorList& list) const {
        return schema::CreateTensorList(builder, positions(builder, list.items)).Union();
    }
    Offset<void> operator()(const program::OptionalTensorList& list) const {
        return schema::CreateOptionalTensorList(builder, positions(builder, list.items)).Union();
    }
    Offset<void> operator()(const TensorInfo& tensor) const {
        const std::vector<std::int32_t> sizes(tensor.sizes.begin(), tensor.sizes.end());
        const auto sizesVector = builder.CreateVector(sizes);
        const auto order = builder.CreateVector(tensor.dimOrder.data(), tensor.dimOrder.size());
        const Offset<schema::AllocationDetails> place = allocation(tensor);
        const Offset<schema::ExtraTensorInfo> more = extra(tensor);
        constexpr std::int32_t storageOffset = 0;
        return schema::CreateTensor(builder, tensor.scalarType, storageOffset, sizesVector, order,
                                    tensor.requiresGrad, dataIndex(tensor), place, tensor.layout,
                                    static_cast<std::int8_t>(std::to_underlying(tensor.dynamism)), more)
            .Union();
    }

  private:
    [[nodiscard]] std::uint32_t dataIndex(const TensorInfo& tensor) const {
        switch (tensor.initialData) {
            case InitialData::None:
                return 0;
            case InitialData::External:
                return tensor.dataIndex;
            case InitialData::Program:
                break;
        }
        return tensor.allocation ? states.add(tensor.data) : constants.add(tensor.data);
    }

    [[nodiscard]] Offset<schema::AllocationDetails> allocation(const TensorInfo& tensor) const {
        if (!tensor.allocation) {
            return {};
        }
        constexpr int halfBits = 32;
        const std::uint64_t offset = tensor.allocation->offset;
        return schema::CreateAllocationDetails(builder, tensor.allocation->arena.value,
                                               static_cast<std::uint32_t>(offset),
                                               static_cast<std::uint32_t>(offset >> halfBits));
    }

    /// Only few tensors have extra information.
    [[nodiscard]] Offset<schema::ExtraTensorInfo> extra(const TensorInfo& tensor) const {
        const bool external = tensor.initialData == InitialData::External;
        if (!external && tensor.name.empty() && tensor.device == program::Device()) {
            return {};
        }
        constexpr std::uint64_t onlyStateSegment = 0;
        const auto name = builder.CreateString(tensor.name);
        return schema::CreateExtraTensorInfo(builder, onlyStateSegment, name,
                                             static_cast<std::int8_t>(external ? 1 : 0), tensor.device.type,
                                             tensor.device.index);
    }
};

}  // namespace

Positions createPositions(FlatBufferBuilder& builder, const std::vector<program::ValueId>& ids) {
    return positions(builder, ids);
}

Offset<schema::EValue> createValue(FlatBufferBuilder& builder, DataPool& constants, DataPool& states,
                                   const program::Value& value) {
    const auto content =
        value.visit(ContentWriter{.builder = builder, .constants = constants, .states = states});
    // The union numbers its alternatives from 1, in the same order.
    return schema::CreateEValue(builder, static_cast<schema::KernelTypes>(value.index() + 1), content);
}

}  // namespace et::builder::detail
