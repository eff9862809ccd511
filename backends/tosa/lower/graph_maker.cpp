#include "backends/tosa/lower/graph_maker.h"

#include "backends/payload_data.h"
#include "backends/tosa/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace et::backends::tosa {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

/// By code.
constexpr std::array<std::optional<ScalarType>, 18> carried{
    std::nullopt,    ScalarType::Bool, ScalarType::Char,  ScalarType::Char, ScalarType::Short,
    ScalarType::Int, ScalarType::Long, ScalarType::Float, ScalarType::Half, ScalarType::BFloat16,
    std::nullopt,    std::nullopt,     std::nullopt,      std::nullopt,     std::nullopt,
    std::nullopt,    std::nullopt,     ScalarType::Long};

const Conversions& conversions() {
    static const Conversions all = [] {
        Conversions made;
        addElementwise(made);
        addIntegers(made);
        addPools(made);
        addProducts(made);
        addShapes(made);
        return made;
    }();
    return all;
}

const Field* fieldOf(const Operator& of, std::string_view name) {
    for (std::size_t i = 0; of.info != nullptr && i < of.fields.size(); ++i) {
        if (of.info->fields[i].name == name) {
            return &of.fields[i];
        }
    }
    return nullptr;
}

}  // namespace

Result<ScalarType> carriedType(std::uint32_t datatype) {
    const auto found = datatype < carried.size() ? carried[datatype] : std::nullopt;
    const DatatypeInfo* const info = datatypeInfo(datatype);
    return found ? Result<ScalarType>(*found)
                 : fail(ErrorCode::Unsupported,
                        fmt::format("values of {} cannot be computed here",
                                    info == nullptr ? "an unknown datatype" : info->name));
}

std::int64_t numberField(const Operator& of, std::string_view name) {
    const Field* const field = fieldOf(of, name);
    const auto* const number = field == nullptr ? nullptr : std::get_if<std::int64_t>(field);
    return number == nullptr ? 0 : *number;
}

Result<std::vector<std::int64_t>> numbersField(const Operator& of, std::string_view name, std::size_t count) {
    const Field* const field = fieldOf(of, name);
    const auto* const numbers = field == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(field);
    if (numbers == nullptr || numbers->size() != count) {
        return fail(ErrorCode::Format, fmt::format("expected {} numbers as its {}", count, name));
    }
    return *numbers;
}

Result<MadeTensor> GraphMaker::input(const Operator& from, std::size_t index) const {
    if (index >= from.inputs.size()) {
        return fail(ErrorCode::Format, fmt::format("it has no input {}", index));
    }
    const auto& found = tensors[from.inputs[index]];
    return found ? Result<MadeTensor>(*found)
                 : fail(ErrorCode::Format, fmt::format("nothing has written its input {}", index));
}

Result<const Tensor*> GraphMaker::inputType(const Operator& of, std::size_t index) const {
    return index < of.inputs.size() ? Result<const Tensor*>(&block.tensors[of.inputs[index]])
                                    : fail(ErrorCode::Format, fmt::format("it has no input {}", index));
}

Result<const Tensor*> GraphMaker::outputType(const Operator& of) const {
    return of.outputs.size() == 1 ? Result<const Tensor*>(&block.tensors[of.outputs[0]])
                                  : fail(ErrorCode::Format, "expected one output");
}

Result<ScalarType> resultType(const GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const Tensor* const out, maker.outputType(from));
    return carriedType(out->datatype);
}

Result<std::vector<std::int64_t>> GraphMaker::integers(const Operator& of, std::size_t index) const {
    ET_ASSIGN(const Tensor* const tensor, inputType(of, index));
    std::size_t count = 1;
    for (const std::int64_t size : tensor->sizes) {
        if (size < 0 || std::cmp_greater(size, tensor->data.size())) {
            return fail(ErrorCode::Unsupported, fmt::format("its input {} is not a constant", index));
        }
        count = std::min(count * static_cast<std::size_t>(size), tensor->data.size() * 2);
    }
    if (tensor->data.empty() && count > 0) {
        return fail(ErrorCode::Unsupported, fmt::format("its input {} is not a constant", index));
    }
    const auto numbers = integersOf(tensor->datatype, tensor->data, count);
    return numbers ? Result<std::vector<std::int64_t>>(*numbers)
                   : fail(ErrorCode::Unsupported, fmt::format("its input {} has no integers", index));
}

Result<std::int64_t> GraphMaker::integer(const Operator& of, std::size_t index) const {
    if (index >= of.inputs.size()) {
        return 0;
    }
    ET_ASSIGN(const Tensor* const tensor, inputType(of, index));
    const auto carriedAs = carriedType(tensor->datatype);
    if (carriedAs && core::isFloating(*carriedAs)) {
        return 0;
    }
    ET_ASSIGN(const std::vector<std::int64_t> numbers, integers(of, index));
    return numbers.size() == 1
               ? Result<std::int64_t>(numbers.front())
               : fail(ErrorCode::Format, fmt::format("expected one number as its input {}", index));
}

MadeTensor GraphMaker::addBuffer(ScalarType dtype, std::vector<std::int64_t> sizes, core::Bytes elements) {
    const std::string name = fmt::format("c{}", constants.size());
    made.tensors[name] = metaOf(dtype, sizes);
    made.inputs.push_back(tensorArgument(name));
    made.inputSpecs.push_back({.kind = "buffer",
                               .value = name,
                               .target = name,
                               .persistent = true,
                               .argument = tensorArgument(name)});
    constants[name] = {.dtype = dtype, .sizes = std::move(sizes), .elements = elements, .parameter = false};
    return {name, dtype};
}

MadeTensor GraphMaker::constant(const std::vector<std::int64_t>& numbers, std::vector<std::int64_t> sizes) {
    const auto owner = std::make_shared<const std::vector<std::int64_t>>(numbers);
    owners.push_back(owner);
    if (sizes.empty()) {
        sizes = {static_cast<std::int64_t>(numbers.size())};
    }
    return addBuffer(ScalarType::Long, std::move(sizes), std::as_bytes(std::span(*owner)));
}

MadeTensor GraphMaker::pair(std::string_view target, const MadeTensor& left, const MadeTensor& right) {
    return put(target, {tensorArgument(left.name), tensorArgument(right.name)}, left.dtype);
}

MadeTensor GraphMaker::permuted(const MadeTensor& from, const std::vector<std::int64_t>& order) {
    return put("aten.permute_copy.default", {tensorArgument(from.name), wholesArgument(order)}, from.dtype);
}

/// Integers of 4 and 48 bits are unpacked.
Result<core::Bytes> GraphMaker::elementsOf(const Tensor& tensor, ScalarType dtype) {
    const std::uint64_t bytes = denseBytes(core::elementBytes(dtype) * std::uint64_t{8}, tensor.sizes);
    if (typeBytes(tensor) == bytes && tensor.data.size() >= bytes) {
        return tensor.data.first(static_cast<std::size_t>(bytes));
    }
    const std::size_t count = static_cast<std::size_t>(bytes) / core::elementBytes(dtype);
    const auto numbers =
        typeBytes(tensor) == bytes ? std::nullopt : integersOf(tensor.datatype, tensor.data, count);
    if (!numbers) {
        return fail(ErrorCode::Format, fmt::format("the constant {} has {} bytes, expected {}",
                                                   typeText(tensor), tensor.data.size(), typeBytes(tensor)));
    }
    if (dtype == ScalarType::Long) {
        const auto owner = std::make_shared<const std::vector<std::int64_t>>(*numbers);
        owners.push_back(owner);
        return std::as_bytes(std::span(*owner));
    }
    const auto owner = std::make_shared<const std::vector<std::int8_t>>(numbers->begin(), numbers->end());
    owners.push_back(owner);
    return std::as_bytes(std::span(*owner));
}

Result<> GraphMaker::addConstants(const Operator& each) {
    for (const TensorIndex output : each.outputs) {
        const Tensor& tensor = block.tensors[output];
        if (tensor.datatype == shapeDatatype) {
            continue;
        }
        ET_ASSIGN(const ScalarType dtype, carriedType(tensor.datatype));
        ET_ASSIGN(const core::Bytes elements, elementsOf(tensor, dtype));
        tensors[output] = addBuffer(dtype, tensor.sizes, elements);
    }
    return {};
}

Result<MadeTensor> GraphMaker::convert(const Operator& each) {
    const auto found = each.info == nullptr ? conversions().end() : conversions().find(each.info->name);
    if (found == conversions().end()) {
        return fail(ErrorCode::Unsupported, "it cannot be computed here");
    }
    ET_ASSIGN(const ScalarType dtype, resultType(*this, each));
    return found->second(*this, each).transform([&](const MadeTensor& result) {
        return cast(result, dtype);
    });
}

Result<> GraphMaker::addOperation(const Operator& each) {
    helpers = 0;
    auto result = convert(each);
    if (!result) {
        core::Error error = std::move(result).error();
        error.message = fmt::format(
            "node n{} ({}): {}", position,
            each.info == nullptr ? fmt::format("operator {}", each.number) : std::string(each.info->name),
            error.message);
        return std::unexpected(std::move(error));
    }
    result->name = renameLast(result->name);
    made.tensors[result->name] = metaOf(result->dtype, block.tensors[each.outputs[0]].sizes);
    tensors[each.outputs[0]] = *std::move(result);
    ++position;
    return {};
}

Result<> GraphMaker::addAll() {
    for (const TensorIndex index : block.inputs) {
        ET_ASSIGN(const ScalarType dtype, carriedType(block.tensors[index].datatype));
        const std::string name = fmt::format("t{}", index);
        tensors[index] = {name, dtype};
        made.tensors[name] = metaOf(dtype, block.tensors[index].sizes);
        made.inputs.push_back(tensorArgument(name));
        made.inputSpecs.push_back({.kind = "user_input",
                                   .value = name,
                                   .target = {},
                                   .persistent = true,
                                   .argument = tensorArgument(name)});
    }
    for (const Operator& each : block.operators) {
        if (each.isConstant()) {
            ET_TRY(addConstants(each));
        } else {
            ET_TRY(addOperation(each));
        }
    }
    for (const TensorIndex index : block.outputs) {
        if (!tensors[index]) {
            return fail(ErrorCode::Format, "nothing has written an output");
        }
        const etrecord::Argument argument = tensorArgument(tensors[index]->name);
        made.outputs.push_back(argument);
        made.outputSpecs.push_back(
            {.kind = "user_output", .value = tensors[index]->name, .target = {}, .argument = argument});
    }
    return {};
}

}  // namespace et::backends::tosa
