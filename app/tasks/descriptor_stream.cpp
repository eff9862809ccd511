#include "app/tasks/descriptor_stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace et::cli {
namespace {

/// A buffer in front of a file descriptor that remembers why it failed.
class DescriptorBuffer final : public std::streambuf {
  public:
    explicit DescriptorBuffer(int opened) : descriptor(opened) {
        setp(pending.data(), pending.data() + pending.size());
    }

    /// errno of the write that failed; 0: none did.
    [[nodiscard]] int failure() const { return failed; }

  protected:
    int_type overflow(int_type character) override {
        if (sync() != 0) {
            return traits_type::eof();
        }
        if (!traits_type::eq_int_type(character, traits_type::eof())) {
            sputc(traits_type::to_char_type(character));
        }
        return traits_type::not_eof(character);
    }

    std::streamsize xsputn(const char* text, std::streamsize size) override {
        const auto given = std::string_view(text, static_cast<std::size_t>(size));
        if (given.size() < pending.size()) {
            return std::streambuf::xsputn(text, size);
        }
        return sync() == 0 && writeAll(given) ? size : 0;
    }

    int sync() override {
        const std::string_view waiting(pbase(), static_cast<std::size_t>(pptr() - pbase()));
        setp(pending.data(), pending.data() + pending.size());
        return writeAll(waiting) ? 0 : -1;
    }

  private:
    bool writeAll(std::string_view text) {
        while (failed == 0 && !text.empty()) {
            const ssize_t written = ::write(descriptor, text.data(), text.size());
            if (written >= 0) {
                text.remove_prefix(static_cast<std::size_t>(written));
            } else if (errno != EINTR) {
                failed = errno;
            }
        }
        return failed == 0;
    }

    int descriptor;
    int failed = 0;
    std::array<char, 16384> pending{};
};

}  // namespace

Producer producerOf(std::string_view text) {
    return [text](std::ostream& out) -> core::Result<> {
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        return {};
    };
}

core::Result<Written> writeTo(int descriptor, std::string_view name, const Producer& producer) {
    DescriptorBuffer buffer(descriptor);
    std::ostream stream(&buffer);
    const core::Result<> produced = producer(stream);
    stream.flush();
    if (buffer.failure() == EPIPE) {
        return Written::ReaderGone;
    }
    if (buffer.failure() != 0) {
        return core::fail(core::ErrorCode::Io,
                          fmt::format("cannot write: {}", std::strerror(buffer.failure())),
                          {.file = std::string(name)});
    }
    ET_TRY(produced);
    return Written::All;
}

}  // namespace et::cli
