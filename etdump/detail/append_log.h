#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

namespace et::etdump::detail {

/// A list with one appending thread and concurrent readers: elements never move, and those below size() are
/// complete. Grows by doubling without copying.
template <class T>
class AppendLog {
  public:
    AppendLog() = default;
    AppendLog(const AppendLog&) = delete;
    AppendLog& operator=(const AppendLog&) = delete;
    ~AppendLog() {
        for (std::size_t i = size(); i > 0; --i) {
            std::destroy_at(&(*this)[i - 1]);
        }
        for (std::size_t chunk = 0; chunk < chunks.size() && chunks[chunk] != nullptr; ++chunk) {
            std::allocator<T>().deallocate(chunks[chunk], firstChunk << chunk);
        }
    }

    /// May be called by the appending thread only.
    template <class... Arguments>
    T& append(Arguments&&... arguments) {
        const std::size_t index = count.load(std::memory_order_relaxed);
        const Place place = placeOf(index);
        if (chunks[place.chunk] == nullptr) {
            chunks[place.chunk] = std::allocator<T>().allocate(firstChunk << place.chunk);
        }
        T* const made = chunks[place.chunk] + place.offset;
        std::construct_at(made, std::forward<Arguments>(arguments)...);
        count.store(index + 1, std::memory_order_release);
        return *made;
    }

    [[nodiscard]] std::size_t size() const { return count.load(std::memory_order_acquire); }
    [[nodiscard]] bool empty() const { return size() == 0; }

    /// The last item; there must be one.
    [[nodiscard]] const T& back() const { return (*this)[size() - 1]; }
    [[nodiscard]] T& back() { return (*this)[size() - 1]; }
    /// `index` must be below a size() that this thread has read.
    [[nodiscard]] const T& operator[](std::size_t index) const {
        const Place place = placeOf(index);
        return chunks[place.chunk][place.offset];
    }
    [[nodiscard]] T& operator[](std::size_t index) {
        const Place place = placeOf(index);
        return chunks[place.chunk][place.offset];
    }

  private:
    static constexpr std::size_t firstChunk = 64;  ///< elements; each chunk is twice the size of the previous
                                                   ///< one

    struct Place {
        std::size_t chunk;
        std::size_t offset;
    };
    static constexpr Place placeOf(std::size_t index) {
        const std::size_t chunkSize = std::bit_floor(index / firstChunk + 1);  // in units of the first chunk
        return {.chunk = static_cast<std::size_t>(std::countr_zero(chunkSize)),
                .offset = index - firstChunk * (chunkSize - 1)};
    }

    std::array<T*, 48> chunks{};
    std::atomic<std::size_t> count = 0;
};

}  // namespace et::etdump::detail
