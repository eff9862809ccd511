#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace et::core {

/// A finite number with the shortest digits that read back as the same double, always with a point or an
/// exponent: "0.1", "2.0", "1e-05". It is what Python's repr() and json write.
[[nodiscard]] std::string shortestNumber(double finite);

/// What a JsonWriter makes of NaN and infinities.
enum class NonFinite : std::uint8_t {
    Null,    ///< null: RFC 8259 has no such numbers
    Python,  ///< NaN, Infinity, -Infinity: what Python's json module writes and reads
};

/// Writes JSON (RFC 8259): the one place that knows how texts are escaped, numbers spelled and items
/// separated (", " and ": ", as Python's json module does). The text is valid UTF-8 whatever comes in: a byte
/// that is no UTF-8 becomes U+FFFD. Commas come by themselves; the caller keeps begin and end balanced and
/// puts a key before each value of an object.
class JsonWriter {
  public:
    explicit JsonWriter(NonFinite nonFinite = NonFinite::Null) : numbers(nonFinite) {}
    /// Goes on behind `start`, which is taken as it is: a value comes next.
    explicit JsonWriter(std::string start) : text(std::move(start)) {}

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }

    void key(std::string_view name);
    void string(std::string_view content);
    void integer(std::int64_t value);
    void integer(std::uint64_t value);
    void number(double value);
    void boolean(bool value) { raw(value ? "true" : "false"); }
    void null() { raw("null"); }
    /// JSON text as it is.
    void raw(std::string_view json);

    /// A member of the open object: `write()` puts its value.
    template <class Write>
    void member(std::string_view name, Write&& write) {
        key(name);
        write();
    }

    [[nodiscard]] std::string take() { return std::move(text); }

  private:
    void separate();
    void open(char bracket);
    void close(char bracket);
    void quoted(std::string_view content);

    std::string text;
    bool needsComma = false;
    NonFinite numbers = NonFinite::Null;
};

}  // namespace et::core
