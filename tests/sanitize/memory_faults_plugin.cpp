// Operators with memory errors, one each. All take float32 tensors (Tensor self, Tensor other, *, Tensor(a!)
// out) of the same size, and copy `self` to `out` apart from the error.

#include "runtime/executor/plugin.h"
#include "runtime/kernels/boxing.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

namespace {

using et::core::Result;
using et::kernels::KernelContext;
using et::kernels::Tensor;

/// Volatile, so that the compiler keeps each access.
using Numbers = volatile float*;

Numbers numbersOf(const Tensor& tensor) {
    return reinterpret_cast<Numbers>(tensor.raw());
}

std::ptrdiff_t countOf(const Tensor& tensor) {
    return static_cast<std::ptrdiff_t>(tensor.numel());
}

void copy(const Tensor& from, Tensor& to, std::ptrdiff_t first, std::ptrdiff_t end) {
    const Numbers source = numbersOf(from);
    const Numbers target = numbersOf(to);
    for (std::ptrdiff_t i = first; i < end; ++i) {
        target[i] = source[i];
    }
}

void copy(const Tensor& from, Tensor& to) {
    copy(from, to, 0, countOf(to));
}

/// Writes one element at `offset` from the end or, if negative, from the start.
template <std::ptrdiff_t offset>
Result<> writeAt(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    copy(self, out);
    numbersOf(out)[offset < 0 ? offset : countOf(out) + offset] = 1;
    return {};
}

/// Reads one element like writeAt().
template <std::ptrdiff_t offset>
Result<> readAt(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    copy(self, out);
    numbersOf(out)[0] = numbersOf(self)[offset < 0 ? offset : countOf(self) + offset];
    return {};
}

Result<> readOther(KernelContext&, const Tensor& self, const Tensor& other, Tensor& out) {
    for (std::ptrdiff_t i = 0; i < countOf(out); ++i) {
        numbersOf(out)[i] = numbersOf(self)[i] + numbersOf(other)[i + 1];
    }
    return {};
}

/// Takes float32 for float64.
Result<> wideWrite(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    auto* const target = reinterpret_cast<volatile std::uint64_t*>(out.raw());
    for (std::ptrdiff_t i = 0; i < countOf(out); ++i) {
        target[i] = static_cast<std::uint64_t>(i);
    }
    copy(self, out);
    return {};
}

Result<> wideRead(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    const auto* const source = reinterpret_cast<const volatile std::uint64_t*>(self.raw());
    for (std::ptrdiff_t i = 0; i < countOf(out); ++i) {
        numbersOf(out)[i] = static_cast<float>(source[i] & 1U);
    }
    return {};
}

/// Takes float32 for a dtype of two bytes.
Result<> narrowWrite(KernelContext&, const Tensor&, const Tensor&, Tensor& out) {
    auto* const target = reinterpret_cast<volatile std::uint16_t*>(out.raw());
    for (std::ptrdiff_t i = 0; i < countOf(out); ++i) {
        target[i] = 1;
    }
    return {};
}

Result<> strideWrite(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    copy(self, out);
    for (std::ptrdiff_t i = 0; i < countOf(out); ++i) {
        numbersOf(out)[2 * i] = numbersOf(self)[i];
    }
    return {};
}

/// Steps over a row as if it had one element more.
Result<> strideRead(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    const std::ptrdiff_t columns = self.size(1);
    for (std::ptrdiff_t i = 0; i < countOf(out); ++i) {
        numbersOf(out)[i] = numbersOf(self)[i / columns * (columns + 1) + i % columns];
    }
    return {};
}

/// Exchanges rows and columns of the output without changing the stride.
Result<> transposed(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    copy(self, out);
    const std::ptrdiff_t rows = self.size(0);
    const std::ptrdiff_t columns = self.size(1);
    for (std::ptrdiff_t i = 0; i < columns; ++i) {
        for (std::ptrdiff_t j = 0; j < rows; ++j) {
            numbersOf(out)[i * columns + j] = 1;
        }
    }
    return {};
}

Result<> memsetAfter(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    std::memset(out.raw(), 0, out.bytes() + 8);
    copy(self, out);
    return {};
}

Result<> memcpyAfter(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    void* const buffer = std::malloc(self.bytes() + 64);
    std::memcpy(buffer, self.raw(), self.bytes() + 12);
    std::memcpy(out.raw(), buffer, out.bytes());
    std::free(buffer);
    return {};
}

Result<> writeSelf(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    copy(self, out);
    numbersOf(self)[2] = 1;
    return {};
}

Result<> writeOther(KernelContext&, const Tensor& self, const Tensor& other, Tensor& out) {
    copy(self, out);
    numbersOf(other)[1] = 1;
    return {};
}

/// Uses the input of an earlier call.
Result<> staleRead(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    static const Tensor* first = nullptr;
    static Numbers kept = nullptr;
    if (first == nullptr) {
        first = &self;
        kept = numbersOf(self);
    }
    copy(self, out);
    numbersOf(out)[0] = first == &self ? kept[0] + 0 : kept[0];
    return {};
}

/// Uses the output of an earlier call.
Result<> staleWrite(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    static Numbers kept = nullptr;
    copy(self, out);
    if (kept != nullptr && kept != numbersOf(out)) {
        kept[0] = 1;
    }
    kept = numbersOf(out);
    return {};
}

Result<> staleScratch(KernelContext& context, const Tensor& self, const Tensor&, Tensor& out) {
    static Numbers kept = nullptr;
    ET_ASSIGN(const auto memory, context.scratch<float>(16));
    memory[0] = 1;
    copy(self, out);
    numbersOf(out)[0] = kept != nullptr ? kept[0] : memory[0];
    kept = memory.data();
    return {};
}

template <std::ptrdiff_t offset>
Result<> scratchAt(KernelContext& context, const Tensor& self, const Tensor&, Tensor& out) {
    constexpr std::size_t count = 16;
    ET_ASSIGN(const auto memory, context.scratch<float>(count));
    const Numbers numbers = memory.data();
    numbers[offset < 0 ? offset : static_cast<std::ptrdiff_t>(count) + offset] = 1;
    copy(self, out);
    return {};
}

Result<> scratchUnwritten(KernelContext& context, const Tensor& self, const Tensor&, Tensor& out) {
    ET_ASSIGN(const auto memory, context.scratch<float>(16));
    memory[0] = 1;
    copy(self, out);
    numbersOf(out)[0] = memory[0] + memory[7];
    return {};
}

Result<> firstUnwritten(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    copy(self, out, 1, countOf(out));
    return {};
}

Result<> tailUnwritten(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    copy(self, out, 0, countOf(out) / 4 * 4);
    return {};
}

Result<> rowsUnwritten(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    const std::ptrdiff_t columns = self.size(1);
    for (std::ptrdiff_t row = 0; row < self.size(0); row += 2) {
        copy(self, out, row * columns, (row + 1) * columns);
    }
    return {};
}

Result<> nothing(KernelContext&, const Tensor&, const Tensor&, Tensor&) {
    return {};
}

/// Adds to the output without setting it to zero.
Result<> accumulate(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    for (std::ptrdiff_t i = 0; i < countOf(out); ++i) {
        numbersOf(out)[i] = numbersOf(out)[i] + numbersOf(self)[i];
    }
    return {};
}

/// Gives its output one row less, and writes all rows.
Result<> beyondShape(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    const std::int64_t sizes[] = {self.size(0) - 1, self.size(1)};
    ET_TRY(out.resize(sizes));
    copy(self, out, 0, countOf(self));
    return {};
}

/// Reads one element more than the shape of its input has.
Result<> readBeyondShape(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    ET_TRY(out.resize(self.sizes()));
    copy(self, out);
    numbersOf(out)[0] = numbersOf(self)[countOf(self)];
    return {};
}

Result<> counting(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    static float calls = 0;
    copy(self, out);
    numbersOf(out)[0] = ++calls;
    return {};
}

Result<> nullPointer(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    static Numbers never = nullptr;
    copy(self, out);
    out.setShape(out.resizable());
    numbersOf(out)[0] = never[0];
    return {};
}

Result<> freeTwice(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    copy(self, out);
    std::abort();
}

Result<> threaded(KernelContext& context, const Tensor& self, const Tensor&, Tensor& out) {
    const auto count = static_cast<std::size_t>(countOf(out));
    context.threads().parallelFor(count, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i <= end; ++i) {
            numbersOf(out)[i] = i < count ? numbersOf(self)[i] : 0;
        }
    });
    return {};
}

/// Gathers with an index that counts from the end, without adding the size.
Result<> negativeIndex(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    copy(self, out);
    static volatile std::ptrdiff_t index = -3;
    numbersOf(out)[1] = numbersOf(self)[index];
    return {};
}

/// Has no error: uses instructions that need addresses aligned to 16 bytes.
Result<> aligned(KernelContext&, const Tensor& self, const Tensor&, Tensor& out) {
    using Vector [[gnu::vector_size(16)]] = float;
    const std::ptrdiff_t whole = countOf(out) / 4;
    for (std::ptrdiff_t i = 0; i < whole; ++i) {
        reinterpret_cast<volatile Vector*>(out.raw())[i] =
            reinterpret_cast<const volatile Vector*>(self.raw())[i];
    }
    copy(self, out, 4 * whole, countOf(out));
    return {};
}

#define ET_FAULT(name, function) {"my::" name ".out", et::kernels::box<&function>}

const et::kernels::KernelEntry entries[] = {
    ET_FAULT("write_after", writeAt<0>),
    ET_FAULT("write_before", writeAt<-1>),
    ET_FAULT("read_after", readAt<0>),
    ET_FAULT("read_before", readAt<-1>),
    ET_FAULT("write_far_after", writeAt<8000>),
    ET_FAULT("write_far_before", writeAt<-700>),
    ET_FAULT("read_far_after", readAt<12000>),
    ET_FAULT("read_far_before", readAt<-900>),
    ET_FAULT("read_other", readOther),
    ET_FAULT("wide_write", wideWrite),
    ET_FAULT("wide_read", wideRead),
    ET_FAULT("narrow_write", narrowWrite),
    ET_FAULT("stride_write", strideWrite),
    ET_FAULT("stride_read", strideRead),
    ET_FAULT("transposed", transposed),
    ET_FAULT("memset_after", memsetAfter),
    ET_FAULT("memcpy_after", memcpyAfter),
    ET_FAULT("write_self", writeSelf),
    ET_FAULT("write_other", writeOther),
    ET_FAULT("stale_read", staleRead),
    ET_FAULT("stale_write", staleWrite),
    ET_FAULT("stale_scratch", staleScratch),
    ET_FAULT("scratch_after", scratchAt<0>),
    ET_FAULT("scratch_before", scratchAt<-1>),
    ET_FAULT("scratch_unwritten", scratchUnwritten),
    ET_FAULT("first_unwritten", firstUnwritten),
    ET_FAULT("tail_unwritten", tailUnwritten),
    ET_FAULT("rows_unwritten", rowsUnwritten),
    ET_FAULT("nothing", nothing),
    ET_FAULT("accumulate", accumulate),
    ET_FAULT("beyond_shape", beyondShape),
    ET_FAULT("read_beyond_shape", readBeyondShape),
    ET_FAULT("counting", counting),
    ET_FAULT("null_pointer", nullPointer),
    ET_FAULT("abort", freeTwice),
    ET_FAULT("threaded", threaded),
    ET_FAULT("negative_index", negativeIndex),
    ET_FAULT("aligned", aligned),
};

}  // namespace

ET_PLUGIN(.kernels = entries, .kernelCount = std::size(entries))
