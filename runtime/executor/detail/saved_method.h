#pragma once

#include "runtime/core/tensor.h"
#include "runtime/executor/backend.h"
#include "runtime/executor/detail/saved_items.h"
#include "runtime/executor/detail/saved_memory.h"
#include "runtime/kernels/kernel_context.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

namespace et::executor::detail {

/// Content of a value that instructions may change. A list (Unsaved) keeps its items, which are values.
struct Unsaved {
    bool operator==(const Unsaved&) const = default;
};
/// A double by its bits, so that NaN and -0 are kept.
struct DoubleBits {
    std::uint64_t bits = 0;
    bool operator==(const DoubleBits&) const = default;
};
using SavedValue = std::variant<Unsaved, std::monostate, std::int64_t, DoubleBits, bool, std::string_view,
                                core::Tensor*,  ///< a tensor of the method
                                std::shared_ptr<const core::Tensor>>;

/// State of a method between two instructions, apart from arenas.
struct SavedMethod {
    SavedItems<SavedValue> values;
    SavedItems<core::Tensor> tensors;
    std::vector<SavedMemory> owned;
    std::vector<std::vector<SavedMemory>> growing;  ///< blocks in use
    std::shared_ptr<const std::mt19937_64> random;
    std::vector<std::shared_ptr<const kernels::KernelState>>
        kernels;                                                  ///< by step; empty: no kernel has state
    std::vector<std::shared_ptr<const DelegateState>> delegates;  ///< null: it is stateless
    std::size_t next = 0;
    std::uint64_t executed = 0;
    bool isRunning = false;

    [[nodiscard]] std::uint64_t countBytes(std::unordered_set<const void*>& counted) const;
};

}  // namespace et::executor::detail
