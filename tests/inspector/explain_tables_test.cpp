// The tables of messages and causes refer only to what exists.
#include "inspector/explain/code_page.h"
#include "inspector/explain/explanation.h"
#include "inspector/explain/message_index.h"
#include "inspector/explain/program_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {
namespace {

/// Names that conditions and texts may use: fields of all messages, and facts.
std::vector<std::string_view> factNames() {
    std::set<std::string_view> names{"code"};
    for (const MessageIndex::Row& row : MessageIndex::get().rows()) {
        for (const std::string_view field : row.pattern.fieldNames()) {
            names.insert(field);
        }
    }
    names.insert(derivedFacts().begin(), derivedFacts().end());
    names.insert(programFacts().begin(), programFacts().end());
    return {names.begin(), names.end()};
}

std::vector<std::string> fieldsOf(std::string_view text) {
    std::vector<std::string> fields;
    for (std::size_t at = 0; (at = text.find('{', at)) != std::string_view::npos; ++at) {
        fields.emplace_back(text.substr(at + 1, text.find('}', at) - at - 1));
    }
    return fields;
}

void expectKnown(const std::vector<std::string_view>& names, std::string_view text,
                 std::string_view message) {
    for (const std::string& field : fieldsOf(text)) {
        EXPECT_TRUE(std::ranges::contains(names, field))
            << message << ": {" << field << "} in \"" << text << '"';
    }
    EXPECT_EQ(std::ranges::count(text, '{'), std::ranges::count(text, '}')) << text;
}

template <class Use>
void forEachCause(Use use) {
    for (const std::span<const Cause> table : knownCauses()) {
        std::ranges::for_each(table, use);
    }
}

TEST(ExplainTables, CausesReferToKnownMessagesAndFacts) {
    const auto names = factNames();
    forEachCause([&](const Cause& cause) {
        EXPECT_TRUE(MessageIndex::get().find(cause.message)) << cause.message;
        for (const std::string_view terms : {cause.when, cause.certainWhen}) {
            EXPECT_EQ(firstUnknownName(terms, names), std::nullopt) << cause.message << ": " << terms;
        }
        for (const std::string_view text : {cause.cause, cause.evidence, cause.remedy}) {
            expectKnown(names, text, cause.message);
        }
        EXPECT_FALSE(cause.cause.empty()) << cause.message;
        EXPECT_FALSE(cause.remedy.empty()) << cause.message << ": " << cause.cause;
    });
}

TEST(ExplainTables, CausesAreSentences) {
    forEachCause([](const Cause& cause) {
        EXPECT_TRUE(cause.cause.ends_with('.') || cause.cause.ends_with("]]")) << cause.cause;
        EXPECT_TRUE(cause.remedy.ends_with('.') || cause.remedy.ends_with("]]")) << cause.remedy;
    });
}

TEST(ExplainTables, MessagesHaveAMeaningAndALongLiteral) {
    const auto names = factNames();
    const MessageIndex& index = MessageIndex::get();
    constexpr std::size_t shortest = 4;
    for (std::size_t id = 0; id < index.count(); ++id) {
        EXPECT_FALSE(index.message(id).meaning.empty()) << index.message(id).id;
        expectKnown(names, index.message(id).meaning, index.message(id).id);
    }
    for (const MessageIndex::Row& row : index.rows()) {
        EXPECT_GE(row.pattern.anchor().size(), shortest) << row.message->pattern;
        EXPECT_FALSE(row.message->pattern.starts_with('{')) << row.message->pattern;
    }
}

/// A failure that no cause explains would be an answer without help.
TEST(ExplainTables, EveryReasonHasACause) {
    const MessageIndex& index = MessageIndex::get();
    for (std::size_t id = 0; id < index.count(); ++id) {
        const Message& message = index.message(id);
        if (message.role == MessageRole::Reason || message.role == MessageRole::Crash) {
            bool found = false;
            forEachCause([&](const Cause& cause) { found = found || cause.message == message.id; });
            EXPECT_TRUE(found) << message.id;
        }
    }
}

TEST(ExplainTables, CodesAreFoundByNumberAndName) {
    for (const std::string_view text : {"0x14", "0x:14", "20", "OperatorMissing", "Error::OperatorMissing"}) {
        const auto found = findCodes(text);
        ASSERT_EQ(found.size(), 1U) << text;
        EXPECT_EQ(found.front().name, "OperatorMissing");
        EXPECT_FALSE(found.front().causes.empty());
    }
    EXPECT_EQ(findCodes("xnn_status_out_of_memory").front().code, 6U);
    EXPECT_EQ(findCodes("0x2").size(), 3U);  // ExecuTorch, XNNPACK, tokenizers
    EXPECT_TRUE(findCodes("0x99").empty());
    EXPECT_TRUE(findCodes("model.pte").empty());
}

}  // namespace
}  // namespace et::inspector
