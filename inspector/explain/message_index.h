#pragma once

#include "inspector/explain/knowledge.h"
#include "inspector/explain/literal_search.h"
#include "inspector/explain/text_pattern.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace et::inspector {

/// All known messages, compiled. Messages with one id share a number.
class MessageIndex {
  public:
    [[nodiscard]] static const MessageIndex& get();

    struct Row {
        const Message* message = nullptr;
        TextPattern pattern;
        std::size_t id = 0;
    };
    [[nodiscard]] const std::vector<Row>& rows() const { return all; }
    /// Rows whose pattern has this literal, by the index that search() reports.
    [[nodiscard]] const std::vector<std::size_t>& rowsOf(std::size_t literal) const {
        return byLiteral[literal];
    }
    /// Rows of one message, in the order of the table.
    [[nodiscard]] const std::vector<std::size_t>& rowsOfMessage(std::size_t id) const {
        return byMessage[id];
    }
    [[nodiscard]] const LiteralSearch& search() const { return literals; }
    /// The row of a message that has its meaning.
    [[nodiscard]] const Message& message(std::size_t id) const { return *firsts[id]; }
    [[nodiscard]] std::size_t count() const { return firsts.size(); }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;

  private:
    MessageIndex();

    std::vector<Row> all;
    std::vector<const Message*> firsts;
    std::vector<std::vector<std::size_t>> byLiteral;
    std::vector<std::vector<std::size_t>> byMessage;
    LiteralSearch literals;
};

}  // namespace et::inspector
