#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace et::core {

/// A finite number with the fewest digits that read back as the same double, always with a point or an
/// exponent: "0.1", "2.0", "1e-05". Same as Python's repr() and json.
[[nodiscard]] std::string shortestNumber(double finite);

/// How a JsonWriter writes NaN and infinities.
enum class NonFinite : std::uint8_t {
    Null,    ///< as null: RFC 8259 has no such numbers
    Python,  ///< as NaN, Infinity, -Infinity, like Python's json module
};

/// Writes JSON (RFC 8259), including escaping, number formatting and separators (", " and ": ", as Python's
/// json module does). The output is always valid UTF-8: invalid bytes become U+FFFD. Commas are inserted
/// automatically; the caller must balance begin and end calls and write a key before each value of an object.
class JsonWriter {
  public:
    explicit JsonWriter(NonFinite nonFinite = NonFinite::Null) : numbers(nonFinite) {}
    /// Continues after `start`, which is copied unchanged; a value must come next.
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
    /// Appends JSON text unchanged.
    void raw(std::string_view json);

    /// Writes a member of the open object; `write()` writes its value.
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
