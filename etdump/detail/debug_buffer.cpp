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
    if (broken || offset > limit || size > limit - offset) {
        ++dropped;
        return none;
    }
    waiting.resize(waiting.size() + (offset - end));
    if (file && size >= flushFrom) {
        ET_TRY(flush());
        if (auto written = file->write(tensor.rawBytes()); !written) {
            broken = true;
            return std::unexpected(std::move(written).error());
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
    if (!file || broken) {
        return {};
    }
    auto written = file->write(waiting);
    broken = !written;
    waiting.clear();
    return written;
}

core::Result<> DebugBuffer::publish() {
    ET_TRY(flush());
    return file && !broken ? file->publish() : core::Result<>();
}

}  // namespace et::etdump::detail
