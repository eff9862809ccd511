#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace et::etrecord::detail {

/// Appends JSON text, in the dialect of Python's json module (bare Infinity and NaN, ASCII escapes only where
/// JSON needs them). The caller keeps begin and end balanced; commas come by themselves.
class JsonWriter {
  public:
    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }

    void key(std::string_view name);
    void string(std::string_view text);
    void integer(std::int64_t value);
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
};

}  // namespace et::etrecord::detail
