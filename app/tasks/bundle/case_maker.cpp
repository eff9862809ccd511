#include "app/tasks/bundle/case_maker.h"

#include "bundled_program/compare.h"
#include "runtime/core/dim_order.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace et::tasks {

using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::Result;

namespace {

/// Returns the elements of `from` in another dim order.
Result<std::vector<std::byte>> reordered(const BundledTensor& from, const std::vector<std::uint8_t>& order) {
    ET_ASSIGN(const core::Tensor source, bundled_program::tensorOver(from));
    std::vector<std::byte> bytes(source.bytes());
    ET_ASSIGN(core::Tensor target, core::Tensor::make(source.dtype(), from.sizes, bytes.data(), order));
    ET_TRY(kernels::copyElements(kernels::ThreadPool(1), kernels::viewOf(source), kernels::viewOf(target)));
    return bytes;
}

}  // namespace

Result<BundledTensor> CaseMaker::planned(BundledTensor given, const program::Value& plan) {
    if (given.dimOrder.empty()) {
        given.dimOrder = core::rowMajorOrder(given.sizes.size());
    }
    const auto* info = plan.as<program::TensorInfo>();
    if (info != nullptr && info->dimOrder.size() == given.sizes.size() && info->dimOrder != given.dimOrder) {
        ET_ASSIGN(std::vector<std::byte> bytes, reordered(given, info->dimOrder));
        given.data = owned.emplace_back(std::move(bytes));
        given.dimOrder = info->dimOrder;
    }
    return given;
}

Result<std::vector<BundledValue>> CaseMaker::convert(const InputSet& set,
                                                     const std::vector<program::ValueId>& ids) {
    std::vector<BundledValue> values;
    for (std::size_t i = 0; i < set.values.size(); ++i) {
        auto value = std::visit(
            [&]<class T>(const T& content) -> Result<BundledValue> {
                if constexpr (std::is_same_v<T, executor::TensorInput>) {
                    BundledTensor tensor{.scalarType = static_cast<std::int8_t>(content.dtype),
                                         .sizes = {content.sizes.begin(), content.sizes.end()},
                                         .dimOrder = {content.dimOrder.begin(), content.dimOrder.end()},
                                         .data = content.data};
                    if (i >= ids.size()) {  // checkCase() reports it
                        return tensor;
                    }
                    return planned(std::move(tensor), method.value(ids[i]));
                } else {
                    return content;
                }
            },
            set.values[i]);
        if (!value) {
            return std::unexpected(std::move(value).error().in(set.sources[i]));
        }
        values.push_back(*std::move(value));
    }
    return values;
}

/// Converts tensors to their planned dim order. Values that the method does not have are copied unchanged.
Result<std::vector<BundledValue>> CaseMaker::convert(const std::vector<BundledValue>& from,
                                                     const std::vector<program::ValueId>& ids) {
    std::vector<BundledValue> values = from;
    for (std::size_t i = 0; i < std::min(values.size(), ids.size()); ++i) {
        if (auto* const tensor = std::get_if<BundledTensor>(&values[i])) {
            ET_ASSIGN(*tensor, planned(std::move(*tensor), method.value(ids[i])));
        }
    }
    return values;
}

Result<> CaseMaker::setCase(const bundled_program::TestCase& from) {
    ET_ASSIGN(testCase.inputs, convert(from.inputs, method.inputs));
    ET_ASSIGN(testCase.expectedOutputs, convert(from.expectedOutputs, method.outputs));
    return {};
}

Result<> CaseMaker::setInputs(const InputSet& set) {
    ET_ASSIGN(testCase.inputs, convert(set, method.inputs));
    return {};
}

Result<> CaseMaker::setExpected(const InputSet& set) {
    ET_ASSIGN(testCase.expectedOutputs, convert(set, method.outputs));
    return {};
}

Result<> CaseMaker::setExpected(executor::Method& ran) {
    for (std::size_t i = 0; i < ran.outputCount(); ++i) {
        const core::Value& value = ran.output(i);
        if (const auto* given = value.as<core::Tensor>()) {
            const auto raw = given->rawBytes();
            testCase.expectedOutputs.emplace_back(
                BundledTensor{.scalarType = static_cast<std::int8_t>(given->dtype()),
                              .sizes = {given->sizes().begin(), given->sizes().end()},
                              .dimOrder = {given->dimOrder().begin(), given->dimOrder().end()},
                              .data = owned.emplace_back(raw.begin(), raw.end())});
        } else if (const auto* whole = value.as<std::int64_t>()) {
            testCase.expectedOutputs.emplace_back(*whole);
        } else if (const auto* real = value.as<double>()) {
            testCase.expectedOutputs.emplace_back(*real);
        } else if (const auto* truth = value.as<bool>()) {
            testCase.expectedOutputs.emplace_back(*truth);
        } else if (value.isNone()) {
            testCase.expectedOutputs.emplace_back();
        } else {
            return core::fail(
                core::ErrorCode::Unsupported,
                fmt::format("output {} is a {}, which the format cannot store", i, value.kindName()));
        }
    }
    return {};
}

}  // namespace et::tasks
