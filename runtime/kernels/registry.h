#pragma once

#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/kernels/kernel_context.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace et::kernels {

/// The arguments of an instruction in the order of the operator's schema, outputs last. None is null.
using Arguments = std::span<core::Value* const>;

/// A kernel that takes boxed arguments; boxing.h makes them out of typed functions. Errors: InvalidArgument
/// (an argument of the wrong kind, dtype or shape), Unsupported, Limit.
using KernelFunction = core::Result<> (*)(KernelContext&, Arguments);

struct Kernel {
    KernelFunction call = nullptr;
    std::uint64_t written = 0;  ///< bit i: argument i is an out argument
    std::size_t arguments = 0;  ///< of the operator's schema; an instruction repeats its results behind them

    explicit operator bool() const { return call != nullptr; }
};

struct KernelEntry {
    std::string_view name;  ///< "aten::add.out"
    Kernel kernel;
    /// Called once before a method runs first, with the arguments that instructions have then: constants have
    /// their data, others only a dtype and a shape, inputs their own and all else its largest. Packs weights
    /// into KernelContext::state().
    Kernel prepare = {};
    /// The operator before its schema got more arguments, under the same name; null: it was always so.
    const KernelEntry* older = nullptr;
    /// Bit i: `prepare` packs argument i, so that it is not called where one of these is no constant.
    std::uint64_t packed = 0;
};

/// The version of an operator that an instruction with `arguments` arguments calls: its results are repeated
/// behind those of the schema, once at least.
[[nodiscard]] inline const KernelEntry* versionFor(const KernelEntry* newest, std::size_t arguments) {
    while (newest != nullptr && newest->older != nullptr && arguments <= newest->kernel.arguments) {
        newest = newest->older;
    }
    return newest;
}

/// Operators by name. The tables that are added must live as long as the registry (they are static). Every
/// process that runs a model makes one of some thousand names, so making and copying it are to cost next to
/// nothing: a list of entries, and an index with open addressing.
class KernelRegistry {
  public:
    /// A name that is there already is replaced: what users add wins over what is built in.
    void add(std::span<const KernelEntry> more);

    /// Null for an unknown operator.
    [[nodiscard]] const KernelEntry* find(std::string_view name) const;

    /// One a name, in the order in which the names were added.
    [[nodiscard]] std::span<const KernelEntry* const> all() const { return entries; }

  private:
    /// Where a name lies in `entries`.
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;  ///< from 1; 0: free
    };

    /// The slot that has the name, or the free one where it would go.
    [[nodiscard]] std::size_t slotOf(std::string_view name, std::uint32_t hash) const;
    void growIndex(std::size_t names);

    std::vector<const KernelEntry*> entries;
    std::vector<Slot> index;  ///< a power of two, at most half full
};

}  // namespace et::kernels
