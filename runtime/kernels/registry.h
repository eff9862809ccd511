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

/// The arguments of an instruction in schema order, outputs last. None is null.
using Arguments = std::span<core::Value* const>;

/// A kernel with boxed arguments; boxing.h makes them from typed functions. Errors: InvalidArgument (an
/// argument of the wrong kind, dtype or shape), Unsupported, Limit.
using KernelFunction = core::Result<> (*)(KernelContext&, Arguments);

struct Kernel {
    KernelFunction call = nullptr;
    std::uint64_t written = 0;  ///< bit i is set if argument i is an out argument
    std::size_t arguments = 0;  ///< number of arguments in the operator's schema; an instruction repeats its
                                ///< results after them

    explicit operator bool() const { return call != nullptr; }
};

struct KernelEntry {
    std::string_view name;  ///< "aten::add.out"
    Kernel kernel;
    /// Called once before the first run of a method, with the arguments at that time: constants have their
    /// data, others only a dtype and a shape (inputs their own, all others the maximum). Packs weights into
    /// KernelContext::state().
    Kernel prepare = {};
    /// The operator under the same name before arguments were added to its schema; null if the schema is
    /// unchanged.
    const KernelEntry* older = nullptr;
    /// Bit i: `prepare` packs argument i; it is not called if any of these is not constant.
    std::uint64_t packed = 0;
};

/// Returns the version of an operator that an instruction with `arguments` arguments calls: its results are
/// repeated at least once after those of the schema.
[[nodiscard]] inline const KernelEntry* versionFor(const KernelEntry* newest, std::size_t arguments) {
    while (newest != nullptr && newest->older != nullptr && arguments <= newest->kernel.arguments) {
        newest = newest->older;
    }
    return newest;
}

/// Operators by name. Added tables must outlive the registry (they are static). Every process that runs a
/// model creates a registry of some thousand names, so creation and copying must be cheap: a list of entries,
/// and an index with open addressing.
class KernelRegistry {
  public:
    /// An existing name is replaced: operators added by users take precedence over built-in ones.
    void add(std::span<const KernelEntry> more);

    /// Null for an unknown operator.
    [[nodiscard]] const KernelEntry* find(std::string_view name) const;

    /// One entry per name, in the order in which the names were added.
    [[nodiscard]] std::span<const KernelEntry* const> all() const { return entries; }

  private:
    /// Index slot of a name in `entries`.
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;  ///< index from 1; 0: free
    };

    /// Returns the slot of the name, or the free slot for it.
    [[nodiscard]] std::size_t slotOf(std::string_view name, std::uint32_t hash) const;
    void growIndex(std::size_t names);

    std::vector<const KernelEntry*> entries;
    std::vector<Slot> index;  ///< a power of two, at most half full
};

}  // namespace et::kernels
