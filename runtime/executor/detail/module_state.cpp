#include "runtime/executor/detail/module_state.h"

namespace et::executor::detail {
namespace {

/// The exporter puts state that methods share in arenas that no other method plans: those after the default
/// arena 1.
constexpr std::size_t firstSharedArena = 2;

}  // namespace

core::Result<UsedArena> ArenaPool::take(std::size_t id, std::uint64_t bytes) {
    if (id >= firstSharedArena) {
        for (const Arena& arena : arenas) {
            if (arena.id == id && arena.memory.bytes() == bytes) {
                return UsedArena{.data = arena.memory.data(), .bytes = bytes, .fresh = false};
            }
        }
    }
    ET_ASSIGN(Memory memory, Memory::make(bytes, budget));
    arenas.push_back({.id = id, .memory = std::move(memory)});
    return UsedArena{.data = arenas.back().memory.data(), .bytes = bytes};
}

}  // namespace et::executor::detail
