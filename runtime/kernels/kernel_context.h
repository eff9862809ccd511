#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/thread_pool.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace et::kernels {

class KvCaches;

/// State that a kernel keeps for one instruction after loading, such as packed weights.
struct KernelState {
    virtual ~KernelState() = default;
    [[nodiscard]] virtual std::uint64_t bytes() const { return 0; }  ///< may be incomplete
    /// A copy, for state that runs change and results depend on. Null, the default: for data derived from
    /// constants.
    [[nodiscard]] virtual std::unique_ptr<KernelState> copy() const { return nullptr; }
};

/// Provides the memory of a ScratchMemory.
class ScratchSource {
  public:
    virtual ~ScratchSource() = default;
    /// As ScratchMemory::take().
    [[nodiscard]] virtual core::Result<std::byte*> take(std::uint64_t bytes) = 0;
    virtual void release() = 0;
};

/// Temporary memory of kernels, reused across instructions.
class ScratchMemory {
  public:
    explicit ScratchMemory(std::uint64_t limitBytes) : limit(limitBytes) {}

    /// 64-byte aligned, uninitialised, valid until release(). Errors: Limit.
    [[nodiscard]] core::Result<std::byte*> take(std::uint64_t bytes);
    /// Frees everything taken; the peak size stays allocated as one block.
    void release();
    /// Takes the memory from `value` from now on; null: allocates it.
    void use(ScratchSource* value) { source = value; }
    [[nodiscard]] std::uint64_t peakBytes() const { return peak; }

  private:
    struct Free {
        void operator()(std::byte* memory) const;
    };
    struct Block {
        std::unique_ptr<std::byte, Free> memory;
        std::uint64_t bytes = 0;
    };

    std::uint64_t limit;
    std::uint64_t taken = 0;  ///< in bytes, since the last release
    std::uint64_t peak = 0;
    std::uint64_t used = 0;  ///< of the last block
    std::vector<Block> blocks;
    ScratchSource* source = nullptr;
};

/// Context that the executor passes to a kernel in addition to its arguments.
class KernelContext {
  public:
    KernelContext(const ThreadPool& threads, ScratchMemory& memory, std::mt19937_64& generator)
        : pool(threads), scratchMemory(memory), randomGenerator(generator) {}

    [[nodiscard]] const ThreadPool& threads() const { return pool; }

    /// `count` uninitialised elements, valid until the instruction ends. Errors: Limit.
    template <class T>
    [[nodiscard]] core::Result<std::span<T>> scratch(std::size_t count) {
        if (count > SIZE_MAX / sizeof(T)) {
            return core::fail(core::ErrorCode::Limit, "temporary memory exceeds the address space");
        }
        ET_ASSIGN(std::byte * memory, scratchMemory.take(count * sizeof(T)));
        return std::span<T>(reinterpret_cast<T*>(memory), count);
    }

    /// State that this instruction's kernel keeps between runs; null until set. Kernels set it in `prepare`
    /// or on the first run.
    [[nodiscard]] std::unique_ptr<KernelState>& state() { return *stateSlot; }
    void bind(std::unique_ptr<KernelState>& slot) { stateSlot = &slot; }

    /// Caches that the host keeps for kvcache::update_and_attend; null: none.
    [[nodiscard]] KvCaches* caches() const { return hostCaches; }
    void bind(KvCaches* caches) { hostCaches = caches; }

    /// Seeded by the caller of the runtime, so that runs are reproducible.
    [[nodiscard]] std::mt19937_64& random() { return randomGenerator; }

  private:
    const ThreadPool& pool;
    ScratchMemory& scratchMemory;
    std::mt19937_64& randomGenerator;
    std::unique_ptr<KernelState>* stateSlot = nullptr;
    KvCaches* hostCaches = nullptr;
};

/// Error of a kernel with invalid arguments: `return invalid(fmt::format("expected …, got {}", dim))`. An
/// example that compiles: tests/kernels/own_kernel_test.cpp.
[[nodiscard]] [[gnu::cold]] inline std::unexpected<core::Error> invalid(std::string message) {
    return core::fail(core::ErrorCode::InvalidArgument, std::move(message));
}
[[nodiscard]] [[gnu::cold]] std::unexpected<core::Error> unsupportedType(core::ScalarType type);

}  // namespace et::kernels
