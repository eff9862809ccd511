#include "inspector/explain/message_index.h"

#include <algorithm>
#include <map>

namespace et::inspector {
namespace {

std::vector<MessageIndex::Row> compiledRows() {
    std::vector<MessageIndex::Row> rows;
    std::map<std::string_view, std::size_t> ids;
    for (const std::span<const Message> table : knownMessages()) {
        for (const Message& message : table) {
            const std::size_t id = ids.try_emplace(message.id, ids.size()).first->second;
            rows.push_back({.message = &message, .pattern = TextPattern(message.pattern), .id = id});
        }
    }
    return rows;
}

/// The distinct anchors of the rows, in the order of their first use.
std::vector<std::string_view> anchorsOf(const std::vector<MessageIndex::Row>& rows,
                                        std::vector<std::vector<std::size_t>>& byLiteral) {
    std::vector<std::string_view> anchors;
    std::map<std::string_view, std::size_t> numbers;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string_view anchor = rows[i].pattern.anchor();
        const auto [at, isNew] = numbers.try_emplace(anchor, anchors.size());
        if (isNew) {
            anchors.push_back(anchor);
            byLiteral.emplace_back();
        }
        byLiteral[at->second].push_back(i);
    }
    return anchors;
}

}  // namespace

std::string_view name(Confidence confidence) {
    switch (confidence) {
        case Confidence::Certain:
            return "certain";
        case Confidence::Likely:
            return "likely";
        case Confidence::Possible:
            return "possible";
    }
    return "possible";
}

MessageIndex::MessageIndex() : all(compiledRows()), literals(anchorsOf(all, byLiteral)) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].id == firsts.size()) {
            firsts.push_back(all[i].message);
            byMessage.emplace_back();
        } else if (firsts[all[i].id]->meaning.empty()) {
            firsts[all[i].id] = all[i].message;
        }
        byMessage[all[i].id].push_back(i);
    }
}

const MessageIndex& MessageIndex::get() {
    static const MessageIndex index;
    return index;
}

std::optional<std::size_t> MessageIndex::find(std::string_view id) const {
    const auto found = std::ranges::find(firsts, id, &Message::id);
    return found == firsts.end() ? std::nullopt : std::optional<std::size_t>(found - firsts.begin());
}

}  // namespace et::inspector
