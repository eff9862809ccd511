#include "app/tasks/base/descriptor_stream.h"

#include "runtime/core/descriptor.h"

#include <cerrno>
#include <span>
#include <utility>

namespace et::tasks {
namespace {

/// A buffered writer to a file descriptor that stores the error of a failed write.
class DescriptorBuffer final : public std::streambuf {
  public:
    explicit DescriptorBuffer(int opened) : descriptor(opened) {
        setp(pending.data(), pending.data() + pending.size());
    }

    /// errno of the failed write; 0: none.
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
        return sync() == 0 && writeOut(given) ? size : 0;
    }

    int sync() override {
        const std::string_view waiting(pbase(), static_cast<std::size_t>(pptr() - pbase()));
        setp(pending.data(), pending.data() + pending.size());
        return writeOut(waiting) ? 0 : -1;
    }

  private:
    bool writeOut(std::string_view text) {
        if (failed == 0) {
            failed = core::writeAll(descriptor, std::as_bytes(std::span(text)));
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
        return std::unexpected(core::systemError("cannot write", buffer.failure(), std::string(name)));
    }
    ET_TRY(produced);
    return Written::All;
}

}  // namespace et::tasks
