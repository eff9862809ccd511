#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>

namespace et::executor {

/// The state of a module between two instructions: planned memory, growing tensors, scalars, shapes and
/// addresses of tensors, positions, the random generator, and the state of delegates and kernels. Made by
/// Module::saveState(). Immutable; equal pages of consecutive snapshots exist once.
class Snapshot {
  public:
    struct Content;

    explicit Snapshot(std::unique_ptr<const Content> saved);
    ~Snapshot();
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    /// Size of its blocks that are not yet in `counted`, to which they are added: snapshots share blocks.
    [[nodiscard]] std::uint64_t countBytes(std::unordered_set<const void*>& counted) const;

    [[nodiscard]] const Content& content() const { return *saved; }

  private:
    std::unique_ptr<const Content> saved;
};

}  // namespace et::executor
