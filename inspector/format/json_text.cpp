#include "inspector/format/json_text.h"

#include "inspector/format/formats.h"

#include <utility>

namespace et::inspector::format {
namespace {

struct CellWriter {
    core::JsonWriter& out;

    void operator()(std::monostate) const { out.null(); }
    void operator()(bool value) const { out.boolean(value); }
    void operator()(std::int64_t value) const { out.integer(value); }
    void operator()(std::uint64_t value) const { out.integer(value); }
    void operator()(double value) const { out.number(value); }
    void operator()(const std::string& value) const { out.string(value); }
    void operator()(const Cell& value) const { writeJson(out, value); }
    template <class T>
    void operator()(const std::vector<T>& items) const {
        out.beginArray();
        for (const T& item : items) {
            (*this)(item);
        }
        out.endArray();
    }
    void operator()(const Dict& items) const {
        out.beginObject();
        for (const auto& [key, value] : items) {
            out.key(key);
            writeJson(out, value);
        }
        out.endObject();
    }
};

}  // namespace

void writeJson(core::JsonWriter& out, const Cell& value) {
    std::visit(CellWriter{out}, value);
}

void appendJson(std::string& out, const Cell& value) {
    core::JsonWriter writer(std::move(out));
    writeJson(writer, value);
    out = writer.take();
}

std::string jsonRows(const Table& table) {
    std::string out = "[";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        out += row == 0 ? "\n" : ",\n";
        core::JsonWriter line(std::move(out));
        line.beginObject();
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            line.key(table.columns[i].id);
            writeJson(line, table.rows[row][i]);
        }
        line.endObject();
        out = line.take();
    }
    return out + (table.rows.empty() ? "]\n" : "\n]\n");
}

std::string jsonLine(const Cell& value) {
    std::string text;
    appendJson(text, value);
    return text + "\n";
}

std::string jsonDocument(std::int64_t schema, Dict content) {
    content.insert(content.begin(), {"schema", schema});
    return jsonLine(content);
}

}  // namespace et::inspector::format
