#include "backends/reference/calls.h"

#include "backends/reference/boxed_values.h"
#include "runtime/core/element_types.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;

constexpr std::uint64_t maxScratchBytes = std::uint64_t{2} << 30;
constexpr std::uint32_t maxComposedDepth = 8;  ///< nesting limit of composed operators

/// Dtype of the first tensor; float32 if there is none.
ScalarType firstType(std::span<const ReferenceValue> arguments) {
    for (const ReferenceValue& argument : arguments) {
        if (const auto* tensor = argument.as<ReferenceTensor>()) {
            return tensor->view.dtype();
        }
    }
    return ScalarType::Float;
}

/// Dtype of a result that the graph does not describe: from the operator's row, otherwise that of the first
/// tensor.
ScalarType guessedType(const Operator& row, std::size_t result, std::span<const ReferenceValue> arguments) {
    const OperatorSignature signature = signatureOf(row);
    if (result < signature.resultTypes.size() && signature.resultTypes[result] != "same") {
        for (const core::ScalarTypeInfo& info : core::scalarTypes()) {
            if (info.torchName == signature.resultTypes[result]) {
                return static_cast<ScalarType>(info.code);
            }
        }
    }
    return firstType(arguments);
}

/// All results that the kernel writes, even those that the graph does not use.
std::vector<ResultKind> allResults(const kernels::Kernel& kernel, const Operator& row,
                                   std::span<const ReferenceValue> arguments,
                                   std::span<const ResultKind> wanted) {
    std::vector<ResultKind> all(wanted.begin(), wanted.end());
    const std::size_t count = std::max(kernel.arguments, arguments.size()) - arguments.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].kind == ResultKind::Kind::None) {
            all[i] = {.kind = ResultKind::Kind::Tensor, .dtypes = {guessedType(row, i, arguments)}};
        }
    }
    while (all.size() < count) {
        all.push_back(
            {.kind = ResultKind::Kind::Tensor, .dtypes = {guessedType(row, all.size(), arguments)}});
    }
    return all;
}

bool isDouble(const ReferenceValue& value) {
    const auto* tensor = value.as<ReferenceTensor>();
    return tensor != nullptr && tensor->view.dtype() == ScalarType::Double;
}

}  // namespace

std::optional<core::Scalar> scalarOf(const ReferenceValue& value) {
    if (const auto* whole = value.as<std::int64_t>()) {
        return core::Scalar(*whole);
    }
    if (const auto* number = value.as<double>()) {
        return core::Scalar(*number);
    }
    const auto* truth = value.as<bool>();
    return truth == nullptr ? std::nullopt : std::optional(core::Scalar(*truth));
}

std::string kindOf(const ReferenceValue& value) {
    if (const auto* tensor = value.as<ReferenceTensor>()) {
        return core::describe(tensor->view);
    }
    constexpr std::array<std::string_view, 7> names{"None",   "a tensor", "an int", "a float",
                                                    "a bool", "a text",   "a list"};
    return std::string(names[value.content.index()]);
}

Calls::Calls(const InterpreterOptions& given)
    : options(given),
      budget(std::make_shared<ValueBudget>(given.memoryBytes)),
      scratch(std::min(given.memoryBytes, maxScratchBytes)) {
}

ScalarType Calls::computedType(ScalarType exported) const {
    if (options.precision == Precision::AsExported) {
        return exported;
    }
    switch (exported) {
        case ScalarType::Half:
        case ScalarType::BFloat16:
        case ScalarType::Float:
            return ScalarType::Double;
        case ScalarType::ComplexHalf:
        case ScalarType::ComplexFloat:
            return ScalarType::ComplexDouble;
        default:
            return exported;
    }
}

Result<Calls::Results> Calls::run(const Operator& row, std::span<const ReferenceValue> arguments,
                                  std::span<const ResultKind> results, State* state) {
    if (row.compose != nullptr) {
        if (depth >= maxComposedDepth) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("composed operators nest deeper than {}", maxComposedDepth));
        }
        ++depth;
        auto composed = row.compose(*this, arguments, results);
        --depth;
        return composed;
    }
    const kernels::KernelEntry* entry = options.kernels.find(row.kernel);
    if (entry == nullptr) {
        return core::fail(ErrorCode::NotFound, fmt::format("no kernel {}", row.kernel));
    }
    State unkept;
    auto done = runKernel(entry->kernel, row, arguments, results, state == nullptr ? unkept : *state);
    const bool mayNarrow =
        options.precision == Precision::Double && !done &&
        (done.error().code == ErrorCode::Unsupported || done.error().code == ErrorCode::InvalidArgument) &&
        std::ranges::any_of(arguments, isDouble);
    if (mayNarrow) {
        if (auto narrowed = runNarrowed(entry->kernel, row, arguments, results)) {
            return narrowed;
        }
    }
    return done;
}

Result<Calls::Results> Calls::runKernel(const kernels::Kernel& kernel, const Operator& row,
                                        std::span<const ReferenceValue> arguments,
                                        std::span<const ResultKind> results, State& state) {
    BoxedValues boxed(budget);
    for (const ReferenceValue& argument : arguments) {
        ET_TRY(boxed.addArgument(argument));
    }
    for (const ResultKind& result : allResults(kernel, row, arguments, results)) {
        ET_TRY(boxed.addResult(result));
    }
    kernels::KernelContext context(options.threads, scratch, generator);
    context.bind(state);
    const auto done = kernel.call(context, boxed.arguments());
    scratch.release();
    ET_TRY(done);
    Results all = boxed.takeResults();
    all.resize(results.size());
    return all;
}

/// Computes in float32 with a kernel that lacks float64, the best available precision.
Result<Calls::Results> Calls::runNarrowed(const kernels::Kernel& kernel, const Operator& row,
                                          std::span<const ReferenceValue> arguments,
                                          std::span<const ResultKind> results) {
    std::vector<ReferenceValue> narrow(arguments.begin(), arguments.end());
    for (ReferenceValue& argument : narrow) {
        if (isDouble(argument)) {
            ET_ASSIGN(auto tensor, converted(*argument.as<ReferenceTensor>(), ScalarType::Float));
            argument = {std::move(tensor)};
        }
    }
    std::vector<ResultKind> kinds(results.begin(), results.end());
    for (ResultKind& kind : kinds) {
        std::ranges::replace(kind.dtypes, ScalarType::Double, ScalarType::Float);
    }
    State unkept;
    ET_ASSIGN(Results narrowResults, runKernel(kernel, row, narrow, kinds, unkept));
    for (ReferenceValue& result : narrowResults) {
        if (const auto* tensor = result.as<ReferenceTensor>()) {
            ET_ASSIGN(auto wide, converted(*tensor, computedType(tensor->view.dtype())));
            result = {std::move(wide)};
        }
    }
    return narrowResults;
}

Result<ReferenceTensor> Calls::tensor(std::string_view name, std::initializer_list<ReferenceValue> arguments,
                                      ScalarType dtype) {
    const ResultKind kind{.kind = ResultKind::Kind::Tensor, .dtypes = {dtype}};
    ET_ASSIGN(Results results, several(name, std::span(arguments.begin(), arguments.size()), {&kind, 1}));
    const auto* made = results.empty() ? nullptr : results.front().as<ReferenceTensor>();
    if (made == nullptr) {
        return core::fail(ErrorCode::InvalidArgument, fmt::format("{} did not return a tensor", name));
    }
    return *made;
}

Result<Calls::Results> Calls::several(std::string_view name, std::span<const ReferenceValue> arguments,
                                      std::span<const ResultKind> results) {
    const Operator* row = resolveOperator(name).row;
    if (row == nullptr) {
        return core::fail(ErrorCode::Unsupported, fmt::format("no operator {}", name));
    }
    std::vector<ReferenceValue> all(arguments.begin(), arguments.end());
    const OperatorSignature signature = signatureOf(*row);
    for (std::size_t i = all.size(); i < signature.arguments.size(); ++i) {
        all.push_back(signature.arguments[i].defaultValue);
    }
    return run(*row, all, results);
}

Result<ReferenceTensor> Calls::converted(const ReferenceTensor& tensor, ScalarType dtype) {
    if (tensor.view.dtype() == dtype) {
        return tensor;
    }
    ET_ASSIGN(ResultTensor copy, empty(dtype, tensor.view.sizes()));
    ET_TRY(
        kernels::copyElements(options.threads, kernels::viewOf(tensor.view), kernels::viewOf(copy.tensor)));
    return std::move(copy).finish();
}

Result<ReferenceTensor> Calls::rowMajor(const ReferenceTensor& tensor) {
    if (tensor.view.isContiguous()) {
        return tensor;
    }
    ET_ASSIGN(ResultTensor copy, empty(tensor.view.dtype(), tensor.view.sizes()));
    ET_TRY(
        kernels::copyElements(options.threads, kernels::viewOf(tensor.view), kernels::viewOf(copy.tensor)));
    return std::move(copy).finish();
}

Result<ReferenceValue> Calls::owned(const ReferenceValue& value) {
    const auto* tensor = value.as<ReferenceTensor>();
    if (tensor == nullptr || tensor->owner != nullptr) {
        return value;
    }
    ET_ASSIGN(ResultTensor copy, empty(tensor->view.dtype(), tensor->view.sizes()));
    ET_TRY(
        kernels::copyElements(options.threads, kernels::viewOf(tensor->view), kernels::viewOf(copy.tensor)));
    return ReferenceValue{std::move(copy).finish()};
}

Result<ReferenceTensor> Calls::wrapped(const core::Scalar& number) {
    const ScalarType dtype = number.isInt()      ? ScalarType::Long
                             : number.isDouble() ? ScalarType::Double
                                                 : ScalarType::Bool;
    ET_ASSIGN(ResultTensor made, empty(dtype, {}));
    ET_TRY(kernels::fillElements(options.threads, number, kernels::viewOf(made.tensor)));
    return std::move(made).finish();
}

}  // namespace et::backends::reference
