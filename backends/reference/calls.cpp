#include "backends/reference/calls.h"

#include "backends/reference/operators.h"
#include "backends/reference/value_memory.h"
#include "runtime/core/element_types.h"
#include "runtime/core/value.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using core::Value;

/// The arguments and results of one call in the form that kernels accept. Borrows the reference values.
class BoxedValues {
  public:
    explicit BoxedValues(const std::shared_ptr<ValueBudget>& counted) : budget(counted) {}

    /// Errors: InvalidArgument (a list that no kernel accepts, too deeply nested).
    [[nodiscard]] core::Result<> addArgument(const ReferenceValue& value);
    /// Errors: Unsupported (an unsupported dtype).
    [[nodiscard]] core::Result<> addResult(const ResultKind& kind);

    [[nodiscard]] std::span<core::Value* const> arguments() const { return passed; }
    /// Values written by the kernel, one per result.
    [[nodiscard]] std::vector<ReferenceValue> takeResults();

  private:
    struct Written {
        core::Value* value = nullptr;
        ResultKind::Kind kind = ResultKind::Kind::None;
        std::vector<core::Value*> items;                   ///< the tensors
        std::vector<std::shared_ptr<ValueMemory>> memory;  ///< theirs
    };

    core::Result<core::Value*> box(const ReferenceValue& value);
    core::Result<core::Value*> boxList(const ReferenceValue::List& list);
    core::Result<core::Value*> boxTensors(const ReferenceValue::List& list);
    core::Value* boxNumbers(const ReferenceValue::List& list);
    core::Result<> addTensor(core::ScalarType dtype, Written& written);
    core::Value* keep(core::Value::Kind content) { return &values.emplace_back(std::move(content)); }

    std::shared_ptr<ValueBudget> budget;
    std::deque<core::Value> values;  ///< addresses are stable
    std::vector<core::Value*> passed;
    std::vector<Written> written;
};

template <class T>
bool holds(const ReferenceValue& value) {
    return value.as<T>() != nullptr;
}

ReferenceValue numberOf(const Value& value) {
    if (const auto* whole = value.as<std::int64_t>()) {
        return {*whole};
    }
    if (const auto* number = value.as<double>()) {
        return {*number};
    }
    const auto* truth = value.as<bool>();
    return truth == nullptr ? ReferenceValue{} : ReferenceValue{*truth};
}

Result<Value*> BoxedValues::box(const ReferenceValue& value) {
    return std::visit(
        [&](const auto& content) -> Result<Value*> {
            using Content = std::remove_cvref_t<decltype(content)>;
            if constexpr (std::is_same_v<Content, ReferenceTensor>) {
                return keep(content.view);
            } else if constexpr (std::is_same_v<Content, std::string>) {
                return keep(std::string_view(content));
            } else if constexpr (std::is_same_v<Content, ReferenceValue::List>) {
                return boxList(content);
            } else {
                return keep(content);
            }
        },
        value.content);
}

Result<Value*> BoxedValues::boxList(const ReferenceValue::List& list) {
    if (std::ranges::any_of(list, holds<ReferenceTensor>) ||
        std::ranges::any_of(list, holds<std::monostate>)) {
        return boxTensors(list);
    }
    if (!std::ranges::all_of(list, [](const ReferenceValue& item) { return scalarOf(item).has_value(); })) {
        return core::fail(ErrorCode::InvalidArgument, "expected a list of tensors or of numbers");
    }
    return boxNumbers(list);
}

Result<Value*> BoxedValues::boxTensors(const ReferenceValue::List& list) {
    core::TensorListValue boxed;
    for (const ReferenceValue& item : list) {
        const auto* tensor = item.as<ReferenceTensor>();
        if (tensor == nullptr && !holds<std::monostate>(item)) {
            return core::fail(ErrorCode::InvalidArgument, "expected only tensors in a list of tensors");
        }
        boxed.optionalItems = boxed.optionalItems || tensor == nullptr;
        boxed.items.push_back(tensor == nullptr ? nullptr : keep(tensor->view));
    }
    boxed.tensors.assign(boxed.items.size(), nullptr);
    return keep(std::move(boxed));
}

Value* BoxedValues::boxNumbers(const ReferenceValue::List& list) {
    if (!list.empty() && std::ranges::all_of(list, holds<bool>)) {
        core::BoolListValue boxed{.numbers = std::make_unique<bool[]>(list.size()), .size = list.size()};
        std::ranges::transform(list, boxed.numbers.get(),
                               [](const ReferenceValue& item) { return scalarOf(item)->to<bool>(); });
        return keep(std::move(boxed));
    }
    if (std::ranges::any_of(list, holds<double>)) {
        core::DoubleListValue boxed;
        std::ranges::transform(list, std::back_inserter(boxed.numbers),
                               [](const ReferenceValue& item) { return scalarOf(item)->to<double>(); });
        return keep(std::move(boxed));
    }
    core::IntListValue boxed;
    for (const ReferenceValue& item : list) {
        boxed.items.push_back(keep(scalarOf(item)->to<std::int64_t>()));
    }
    boxed.numbers.assign(list.size(), 0);
    return keep(std::move(boxed));
}

Result<> BoxedValues::addArgument(const ReferenceValue& value) {
    ET_ASSIGN(Value * boxed, box(value));
    passed.push_back(boxed);
    return {};
}

Result<> BoxedValues::addTensor(core::ScalarType dtype, Written& result) {
    ET_ASSIGN(ResultTensor made, ResultTensor::make(dtype, budget));
    result.items.push_back(keep(made.tensor));
    result.memory.push_back(std::move(made.memory));
    return {};
}

Result<> BoxedValues::addResult(const ResultKind& kind) {
    Written result{.value = nullptr, .kind = kind.kind, .items = {}, .memory = {}};
    for (const core::ScalarType dtype : kind.dtypes) {
        ET_TRY(addTensor(dtype, result));
    }
    if (kind.kind == ResultKind::Kind::Tensors) {
        core::TensorListValue boxed{.items = result.items, .tensors = {}};
        boxed.tensors.assign(boxed.items.size(), nullptr);
        result.value = keep(std::move(boxed));
    } else {
        result.value = result.items.empty() ? keep(std::monostate{}) : result.items.front();
    }
    passed.push_back(result.value);
    written.push_back(std::move(result));
    return {};
}

std::vector<ReferenceValue> BoxedValues::takeResults() {
    std::vector<ReferenceValue> results;
    for (Written& result : written) {
        ReferenceValue::List tensors;
        for (std::size_t i = 0; i < result.items.size(); ++i) {
            tensors.push_back(
                {ResultTensor::finish(*result.items[i]->as<core::Tensor>(), std::move(result.memory[i]))});
        }
        if (result.kind == ResultKind::Kind::Tensors) {
            results.push_back({std::move(tensors)});
        } else if (!tensors.empty()) {
            results.push_back(std::move(tensors.front()));
        } else {
            results.push_back(numberOf(*result.value));
        }
    }
    return results;
}

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
      budget(given.budget != nullptr ? given.budget : std::make_shared<ValueBudget>(given.memoryBytes)),
      scratch(std::min(given.memoryBytes, maxScratchBytes)),
      ownCaches(given.memoryBytes) {
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
    context.bind(&caches());
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
