#include "etdump/detail/debug_buffer.h"

namespace et::etdump::detail {
namespace {

constexpr std::uint64_t alignment = 64;  ///< the reference's
constexpr std::size_t flushFrom = std::size_t{1} << 20;

}  // namespace

core::Result<std::int64_t> DebugBuffer::append(const core::Tensor& tensor) {
    constexpr std::int64_t none = -1;
    const std::uint64_t offset = (end + alignment - 1) / alignment * alignment;
    const std::size_t size = tensor.bytes();
    if (size == 0 || tensor.raw() == nullptr) {
        return none;
    }
    const std::scoped_lock lock(guard);
    if (broken || offset > limit || size > limit - offset) {
        ++dropped;
        return none;
    }
    waiting.resize(waiting.size() + (offset - end));
    if (file && size >= flushFrom) {
        ET_TRY(flush());
        if (const auto written = file->write(tensor.rawBytes()); !written) {
            broken = written.error();
            return std::unexpected(*broken);
        }
    } else {
        const auto bytes = tensor.rawBytes();
        waiting.insert(waiting.end(), bytes.begin(), bytes.end());
    }
    end = offset + size;
    if (file && waiting.size() >= flushFrom) {
        ET_TRY(flush());
    }
    return static_cast<std::int64_t>(offset);
}

core::Result<> DebugBuffer::flush() {
    if (broken) {
        return std::unexpected(*broken);
    }
    if (!file) {
        return {};
    }
    const auto written = file->write(waiting);
    waiting.clear();
    if (!written) {
        broken = written.error();
    }
    return written;
}

core::Result<> DebugBuffer::publish() {
    const std::scoped_lock lock(guard);
    ET_TRY(flush());
    return file ? file->publish() : core::Result<>();
}

core::Result<> DebugBuffer::finish() {
    const std::scoped_lock lock(guard);
    ET_TRY(flush());
    return file ? file->finish() : core::Result<>();
}

}  // namespace et::etdump::detail
