// neg and add with faults that only show at some sizes; selected by ET_SHAPE_FAULT.

#include "runtime/executor/plugin.h"
#include "runtime/kernels/boxing.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string_view>

namespace {

using et::core::ErrorCode;
using et::core::Result;
using et::kernels::Tensor;

constexpr std::int64_t mostRows = 16;
constexpr std::int64_t mostColumns = 8;

std::string_view fault() {
    const char* const name = std::getenv("ET_SHAPE_FAULT");
    return name == nullptr ? std::string_view() : name;
}

/// Planned work of a kernel, which a fault may change.
struct Work {
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t done;    ///< number of rows to compute
    std::int64_t stride;  ///< input row stride, in elements
    std::array<std::int64_t, 2> result;
};

void spin(std::chrono::microseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until) {
    }
}

Result<> refuse() {
    return et::core::fail(ErrorCode::InvalidArgument, "too many rows");
}

/// A fault applied before the computation.
struct Before {
    std::string_view name;
    Result<> (*act)(Work&);
};
const Before before[] = {
    {"upper_crash",
     [](Work& work) -> Result<> {
         if (work.rows == mostRows) {
             std::abort();
         }
         return {};
     }},
    {"upper_hang",
     [](Work& work) -> Result<> {
         while (work.rows == mostRows) {
             ::pause();
         }
         return {};
     }},
    {"upper_refused", [](Work& work) -> Result<> { return work.rows < mostRows ? Result<>() : refuse(); }},
    {"upper_short",
     [](Work& work) -> Result<> {
         work.done = work.result[0] = std::min(work.rows, mostRows - 1);
         return {};
     }},
    {"never_resized",
     [](Work& work) -> Result<> {
         work.result = {mostRows, mostColumns};
         return {};
     }},
    {"half_launched",
     [](Work& work) -> Result<> {
         work.done = std::min<std::int64_t>(work.rows, mostRows / 2);
         return {};
     }},
    {"no_tail",
     [](Work& work) -> Result<> {
         work.done = work.rows / 4 * 4;
         return {};
     }},
    {"first_sizes_kept",
     [](Work& work) -> Result<> {
         static const std::int64_t kept = work.rows;
         work.stride = kept == work.rows ? work.stride : 0;
         return {};
     }},
    {"columns_unchecked",
     [](Work& work) -> Result<> {
         work.stride = mostColumns;
         return {};
     }},
    {"columns_built_in",
     [](Work& work) -> Result<> {
         work.result[1] = work.columns = mostColumns;
         return {};
     }},
    {"below_crash",
     [](Work& work) -> Result<> {
         if (work.rows < 4) {
             std::abort();
         }
         return {};
     }},
    {"slow_from_nine",
     [](Work& work) -> Result<> {
         spin(std::chrono::microseconds(work.rows >= 9 ? 400 : 100));
         return {};
     }},
};

/// A fault applied to the result.
struct After {
    std::string_view name;
    void (*act)(const Work&, float* elements);
};
const After after[] = {
    {"upper_last",
     [](const Work& work, float* elements) {
         elements[work.rows * work.columns - 1] += work.rows == mostRows ? 1.0F : 0.0F;
     }},
    {"upper_nan",
     [](const Work& work, float* elements) {
         elements[0] = work.rows == mostRows ? std::numeric_limits<float>::quiet_NaN() : elements[0];
     }},
    {"upper_percent",
     [](const Work& work, float* elements) {
         for (std::int64_t i = 0; work.rows == mostRows && i < work.columns; ++i) {
             elements[i] *= 1.02F;
         }
     }},
    {"upper_less_one",
     [](const Work& work, float* elements) { elements[3] -= work.rows == mostRows - 1 ? 1.0F : 0.0F; }},
    {"lower_last",
     [](const Work& work, float* elements) {
         elements[work.rows * work.columns - 1] += work.rows == 1 ? 1.0F : 0.0F;
     }},
    {"lower_zeros", [](const Work& work,
                       float* elements) { std::fill_n(elements, work.rows == 1 ? work.columns : 0, 0.5F); }},
    {"lower_plus_one",
     [](const Work& work, float* elements) { elements[2] += work.rows == 2 ? 1.0F : 0.0F; }},
    {"below_zeros",
     [](const Work& work, float* elements) {
         std::fill_n(elements, work.rows < 4 ? work.rows * work.columns : 0, 0.5F);
     }},
    {"corner",
     [](const Work& work, float* elements) {
         elements[1] += work.rows == mostRows && work.columns == mostColumns ? 1.0F : 0.0F;
     }},
    {"other_corner",
     [](const Work& work, float* elements) {
         elements[0] += work.rows == mostRows && work.columns == 1 ? 1.0F : 0.0F;
     }},
};

/// aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
Result<> negOut(et::kernels::KernelContext&, const Tensor& self, Tensor& out) {
    Work work{.rows = self.sizes()[0],
              .columns = self.sizes()[1],
              .done = self.sizes()[0],
              .stride = self.sizes()[1],
              .result = {self.sizes()[0], self.sizes()[1]}};
    if (const auto* const found = std::ranges::find(before, fault(), &Before::name);
        found != std::end(before)) {
        ET_TRY(found->act(work));
    }
    ET_TRY(out.resize(work.result));
    for (std::int64_t i = 0; i < work.done * work.columns; ++i) {
        const std::int64_t from = (i / work.columns) * work.stride + i % work.columns;
        out.mutableData<float>()[i] = -self.data<float>()[from];
    }
    if (const auto* const found = std::ranges::find(after, fault(), &After::name); found != std::end(after)) {
        found->act(work, out.mutableData<float>());
    }
    return {};
}

/// aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) Adds the rows
/// that both have, without checking that their numbers match.
Result<> addOut(et::kernels::KernelContext&, const Tensor& self, const Tensor& other, et::core::Scalar,
                Tensor& out) {
    const std::int64_t rows = std::min(self.sizes()[0], other.sizes()[0]);
    ET_TRY(out.resize(std::array{rows, self.sizes()[1]}));
    for (std::int64_t i = 0; i < rows * self.sizes()[1]; ++i) {
        out.mutableData<float>()[i] = self.data<float>()[i] + other.data<float>()[i];
    }
    return {};
}

const et::kernels::KernelEntry entries[] = {{"aten::neg.out", et::kernels::box<&negOut>},
                                            {"aten::add.out", et::kernels::box<&addOut>}};

}  // namespace

ET_PLUGIN(.kernels = entries, .kernelCount = std::size(entries))
