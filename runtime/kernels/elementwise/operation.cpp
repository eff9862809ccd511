#include "runtime/kernels/elementwise/operation.h"

#include "runtime/core/element_types.h"
#include "runtime/kernels/compute_type.h"
#include "runtime/kernels/elements.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/type_promotion.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <type_traits>

namespace et::kernels {
namespace {

using core::Scalar;
using core::ScalarType;
using core::Tensor;

/// Iteration over a result and the inputs that broadcast to it, in the memory order of the result. Contiguous
/// if all have the same layout.
class Path {
  public:
    /// One offset for the result, then one per input; in elements.
    using Offsets = std::array<std::int64_t, 1 + maxInputs>;

    Path(std::span<const Input> inputs, const core::Tensor& out);

    /// Number of consecutive elements at constant strides.
    [[nodiscard]] std::int64_t rowLength() const { return length; }
    [[nodiscard]] const Offsets& strides() const { return rowStrides; }

    /// Calls `visit(at, count, offsets)` for the rows, or parts of rows, of the result's elements [begin,
    /// end): `count` elements starting at `at`, and their offsets in each tensor.
    template <class Visit>
    void forRows(std::size_t begin, std::size_t end, Visit&& visit) const;

  private:
    std::optional<StridedWalk<1 + maxInputs>> walk;  ///< empty if contiguous
    std::int64_t length;
    Offsets rowStrides{};
};

template <class Visit>
void Path::forRows(std::size_t begin, std::size_t end, Visit&& visit) const {
    if (!walk) {
        Offsets offsets;
        offsets.fill(static_cast<std::int64_t>(begin));
        visit(begin, end - begin, offsets);
        return;
    }
    const auto size = static_cast<std::size_t>(length);
    std::size_t row = begin / size;
    const auto visitRow = [&](Offsets offsets) {
        const std::size_t first = std::max(begin, row * size);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            offsets[i] += static_cast<std::int64_t>(first - row * size) * rowStrides[i];
        }
        ++row;
        visit(first, std::min(end, row * size) - first, offsets);
    };
    walk->forRows(static_cast<std::int64_t>(row), static_cast<std::int64_t>((end + size - 1) / size),
                  visitRow);
}

/// True if the input has the memory layout of the result, or a single element.
bool liesLike(const core::Tensor& out, const Input& input) {
    const core::Tensor* tensor = input.tensor;
    return tensor == nullptr || tensor->numel() == 1 ||
           (tensor->sizes() == out.sizes() && tensor->strides() == out.strides());
}

Path::Path(std::span<const Input> inputs, const core::Tensor& out) : length(out.numel()) {
    if (std::ranges::all_of(inputs, [&](const Input& input) { return liesLike(out, input); })) {
        rowStrides.fill(1);
        return;
    }
    std::array<core::Strides, 1 + maxInputs> steps;
    steps.fill(core::Strides(out.dim(), 0));
    steps[0] = out.strides();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (const core::Tensor* tensor = inputs[i].tensor) {
            steps[i + 1] = broadcastStrides(tensor->sizes(), tensor->strides(), out.sizes());
        }
    }
    walk.emplace(out.sizes(), steps);
    length = walk->rowLength();
    rowStrides = walk->rowStrides();
}

/// Size of the block that is converted, computed and converted back within the L1 cache.
constexpr std::size_t blockBytes = 4096;
template <class T>
constexpr std::size_t blockElements = blockBytes / sizeof(T);

/// Shorter rows are gathered into blocks before the loop runs.
constexpr std::int64_t longRow = 64;

constexpr std::size_t elementsPerThread = 32768;

template <class T>
struct Buffers {
    alignas(64) std::array<std::array<T, blockElements<T>>, maxInputs> inputs;
    alignas(64) std::array<T, blockElements<T>> out;
    alignas(64) std::array<std::byte, blockBytes> rounded;  ///< no dtype is wider than its compute type
};

template <class T>
std::array<const T*, maxInputs> bufferPointers(const Buffers<T>& buffers) {
    std::array<const T*, maxInputs> places;
    std::ranges::transform(buffers.inputs, places.begin(), [](const auto& buffer) { return buffer.data(); });
    return places;
}

/// Rounds numbers through a narrower dtype.
template <class T>
struct Rounding {
    StoreElements<T> store = nullptr;
    LoadElements<T> load = nullptr;

    void operator()(T* numbers, std::size_t count, std::span<std::byte> memory) const {
        if (store != nullptr) {
            store(numbers, memory.data(), 1, count);
            load(memory.data(), 1, numbers, count);
        }
    }
};

template <class T>
Rounding<T> roundingTo(ScalarType dtype) {
    if (dtype == core::scalarTypeOf<T>) {
        return {};
    }
    return {.store = elementStorer<T>(dtype), .load = elementLoader<T>(dtype)};
}

/// A uint64 result is stored unsigned.
template <class T>
StoreElements<T> selectStorer(ScalarType result, ScalarType out) {
    if constexpr (std::is_same_v<T, std::int64_t>) {
        if (result == ScalarType::UInt64) {
            return unsignedStorer(out);
        }
    }
    return elementStorer<T>(out);
}

template <class T>
T numberAs(const Scalar& number) {
    if constexpr (std::is_arithmetic_v<T>) {
        return number.to<T>();
    } else {
        return T(number.to<typename T::value_type>());
    }
}

template <class T>
struct Source {
    const std::byte* data = nullptr;
    std::size_t elementSize = 0;
    LoadElements<T> load = nullptr;
    Rounding<T> rounding{};
    T number{};
    bool constant = true;  ///< one value for all elements
    bool plain = false;    ///< already in the compute type
};

/// One execution of an operation in compute type T.
template <class T>
class Run {
  public:
    Run(Loop<T> function, const Operation& operation, std::span<const Input> inputs, Tensor& out);

    /// Computes elements [begin, end) of the result, in memory order.
    void operator()(std::size_t begin, std::size_t end) const;

    /// Returns a dtype of an input or the result that cannot be converted from or to T; null if there is
    /// none.
    [[nodiscard]] const ScalarType* unsupported() const { return wrong ? &*wrong : nullptr; }

  private:
    Source<T> sourceOf(const Input& input, const Operation& operation);
    [[nodiscard]] const std::byte* place(std::size_t input, std::int64_t offset) const {
        return sources[input].data + offset * static_cast<std::int64_t>(sources[input].elementSize);
    }
    /// Computes a row block by block, in place if possible.
    void computeRow(std::size_t at, std::size_t elements, const Path::Offsets& offsets,
                    Buffers<T>& buffers) const;
    /// Computes many short rows at a time.
    void gatherRows(std::size_t begin, std::size_t end, Buffers<T>& buffers) const;
    void computeBlock(const T* const* sources, std::size_t at, std::size_t elements,
                      Buffers<T>& buffers) const;

    Loop<T> loop;
    Numbers<T> numbers{};
    Path path;
    std::array<Source<T>, maxInputs> sources;
    std::size_t count;
    std::optional<ScalarType> wrong;
    std::byte* outData;
    std::size_t outSize;
    StoreElements<T> outStore;
    Rounding<T> outRounding;
    bool outPlain;
};

template <class T>
Run<T>::Run(Loop<T> function, const Operation& operation, std::span<const Input> inputs, Tensor& out)
    : loop(function),
      path(inputs, out),
      count(inputs.size()),
      outData(out.raw()),
      outSize(out.elementSize()),
      outStore(selectStorer<T>(operation.result, out.dtype())),
      outPlain(out.dtype() == core::scalarTypeOf<T>) {
    for (std::size_t i = 0; i < maxNumbers; ++i) {
        numbers[i] = numberAs<T>(operation.numbers[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
        sources[i] = sourceOf(inputs[i], operation);
    }
    if (out.dtype() != operation.result) {
        outRounding = roundingTo<T>(operation.result);
        outPlain = outPlain && outRounding.store == nullptr;
    }
    if (outStore == nullptr) {
        wrong = out.dtype();
    }
}

template <class T>
Source<T> Run<T>::sourceOf(const Input& input, const Operation& operation) {
    if (input.tensor == nullptr) {
        return {.number = numberAs<T>(input.exact ? input.number : heldBy(operation.common, input.number))};
    }
    const Tensor& tensor = *input.tensor;
    Source<T> source{.data = tensor.raw() + input.offset * static_cast<std::int64_t>(tensor.elementSize()),
                     .elementSize = tensor.elementSize(),
                     .load = elementLoader<T>(tensor.dtype()),
                     .constant = tensor.numel() == 1,
                     .plain = tensor.dtype() == core::scalarTypeOf<T>};
    if (source.load == nullptr) {
        wrong = tensor.dtype();
        return source;
    }
    const bool widens = core::isIntegral(operation.common) &&
                        promoteTypes(tensor.dtype(), operation.common) == operation.common;
    if (!input.exact && tensor.dtype() != operation.common && !widens) {
        source.rounding = roundingTo<T>(operation.common);
        source.plain = source.plain && source.rounding.store == nullptr;
    }
    if (source.constant) {
        alignas(16) std::array<std::byte, sizeof(T)> memory;
        source.load(source.data, 1, &source.number, 1);
        source.rounding(&source.number, 1, memory);
    }
    return source;
}

template <class T>
void Run<T>::operator()(std::size_t begin, std::size_t end) const {
    Buffers<T> buffers;
    for (std::size_t i = 0; i < count; ++i) {
        if (sources[i].constant) {
            std::fill_n(buffers.inputs[i].begin(), std::min(end - begin, blockElements<T>),
                        sources[i].number);
        }
    }
    if (path.rowLength() < longRow) {
        gatherRows(begin, end, buffers);
        return;
    }
    path.forRows(begin, end, [&](std::size_t at, std::size_t elements, const Path::Offsets& offsets) {
        computeRow(at, elements, offsets, buffers);
    });
}

template <class T>
void Run<T>::computeBlock(const T* const* inputs, std::size_t at, std::size_t elements,
                          Buffers<T>& buffers) const {
    std::byte* to = outData + at * outSize;
    if (outPlain) {
        loop(inputs, reinterpret_cast<T*>(to), elements, numbers);
        return;
    }
    loop(inputs, buffers.out.data(), elements, numbers);
    outRounding(buffers.out.data(), elements, buffers.rounded);
    outStore(buffers.out.data(), to, 1, elements);
}

template <class T>
void Run<T>::computeRow(std::size_t at, std::size_t elements, const Path::Offsets& offsets,
                        Buffers<T>& buffers) const {
    std::array<const T*, maxInputs> inputs = bufferPointers(buffers);
    for (std::size_t done = 0; done < elements;) {
        const std::size_t block = std::min(elements - done, blockElements<T>);
        for (std::size_t i = 0; i < count; ++i) {
            if (sources[i].constant) {
                continue;
            }
            const std::int64_t stride = path.strides()[i + 1];
            const std::byte* from = place(i, offsets[i + 1] + static_cast<std::int64_t>(done) * stride);
            if (sources[i].plain && stride == 1) {
                inputs[i] = reinterpret_cast<const T*>(from);
                continue;
            }
            T* buffer = buffers.inputs[i].data();
            sources[i].load(from, stride, buffer, block);
            sources[i].rounding(buffer, block, buffers.rounded);
        }
        computeBlock(inputs.data(), at + done, block, buffers);
        done += block;
    }
}

template <class T>
void Run<T>::gatherRows(std::size_t begin, std::size_t end, Buffers<T>& buffers) const {
    const std::array<const T*, maxInputs> inputs = bufferPointers(buffers);
    std::size_t filled = 0;
    const auto flush = [&](std::size_t at) {
        for (std::size_t i = 0; i < count; ++i) {
            if (!sources[i].constant) {
                sources[i].rounding(buffers.inputs[i].data(), filled, buffers.rounded);
            }
        }
        computeBlock(inputs.data(), at - filled, filled, buffers);
        filled = 0;
    };
    // A row is always shorter than a block.
    path.forRows(begin, end, [&](std::size_t at, std::size_t elements, const Path::Offsets& offsets) {
        if (filled + elements > blockElements<T>) {
            flush(at);
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (!sources[i].constant) {
                sources[i].load(place(i, offsets[i + 1]), path.strides()[i + 1],
                                buffers.inputs[i].data() + filled, elements);
            }
        }
        filled += elements;
    });
    flush(end);
}

/// Calls `function` with the loop in the compute type of the dtype.
template <class Function>
core::Result<> visitLoop(ScalarType type, const Loops& loops, const Function& function) {
    if (type == ScalarType::ComplexFloat || type == ScalarType::ComplexHalf) {
        return function(loops.complexFloats);
    }
    if (type == ScalarType::ComplexDouble) {
        return function(loops.complexDoubles);
    }
    const auto integers = [&] {
        const bool isUnsigned = type == ScalarType::UInt64 && loops.unsignedIntegers != nullptr;
        return function(isUnsigned ? loops.unsignedIntegers : loops.integers);
    };
    return visitComputeType(
        type,
        [&]<class T>(std::type_identity<T>) {
            if constexpr (std::is_same_v<T, float>) {
                return function(loops.floats);
            } else if constexpr (std::is_same_v<T, double>) {
                return function(loops.doubles);
            } else {
                return integers();
            }
        },
        integers);
}

template <class T>
core::Result<> runAs(const KernelContext& context, Loop<T> loop, const Operation& operation,
                     std::span<const Input> inputs, Tensor& out) {
    if (loop == nullptr) {
        return unsupportedType(operation.common);
    }
    if (out.numel() == 0) {
        return {};
    }
    const Run<T> run(loop, operation, inputs, out);
    if (const ScalarType* type = run.unsupported()) {
        return unsupportedType(*type);
    }
    context.threads().parallelFor(static_cast<std::size_t>(out.numel()), elementsPerThread, run);
    return {};
}

}  // namespace

core::Result<> computeInto(const KernelContext& context, const Operation& operation,
                           std::span<const Input> inputs, Tensor& out) {
    if (!canCast(operation.result, out.dtype())) {
        return invalid(fmt::format("a result of {} cannot be written to {}",
                                   core::scalarTypeName(operation.result), core::describe(out)));
    }
    const Loops& loops = operation.loops;
    if (operation.common == ScalarType::Bool && !loops.takeBool) {
        return unsupportedType(ScalarType::Bool);
    }
    return visitLoop(operation.common, loops,
                     [&](auto loop) { return runAs(context, loop, operation, inputs, out); });
}

core::Result<> compute(const KernelContext& context, const Operation& operation,
                       std::span<const Input> inputs, Tensor& out) {
    core::Sizes sizes;
    for (const Input& input : inputs) {
        if (input.tensor != nullptr && input.tensor->sizes() != sizes) {
            ET_ASSIGN(sizes, broadcastSizes(sizes, input.tensor->sizes()));
        }
    }
    ET_TRY(out.resize(sizes));
    return computeInto(context, operation, inputs, out);
}

Scalar heldBy(ScalarType dtype, const Scalar& number) {
    return core::visitRealType(
        dtype,
        [&]<class Element>(std::type_identity<Element>) {
            const auto held = number.to<Element>();
            if constexpr (std::is_same_v<Element, bool>) {
                return Scalar(held);
            } else if constexpr (std::is_integral_v<Element>) {
                return Scalar(core::convertTo<std::int64_t>(held));
            } else {
                return Scalar(core::convertTo<double>(held));
            }
        },
        [&] { return number; });
}

}  // namespace et::kernels
