#pragma once

#include "inspector/tokenizers/detail/jinja_lexer.h"
#include "inspector/tokenizers/detail/jinja_tree.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::tokenizers::detail::jinja {

/// A position in the tokens of a template, and in the nesting of its expressions.
class TokenCursor {
  public:
    explicit TokenCursor(std::vector<Token> given) : tokens(std::move(given)) {}

    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
        return tokens[std::min(at + ahead, tokens.size() - 1)];
    }
    Token take() { return at + 1 < tokens.size() ? tokens[at++] : tokens.back(); }
    [[nodiscard]] bool sees(TokenKind kind, std::string_view text = {}) const {
        return peek().kind == kind && (text.empty() || peek().text == text);
    }
    /// Consumes the token if it matches.
    bool takes(TokenKind kind, std::string_view text = {}) {
        const bool there = sees(kind, text);
        at += there ? 1 : 0;
        return there;
    }
    [[nodiscard]] core::Result<> expect(TokenKind kind, std::string_view text);
    [[nodiscard]] core::Result<std::string> expectName();
    [[nodiscard]] std::unexpected<core::Error> unexpected(std::string_view expected) const;

    /// Counts the nesting of brackets, operators and blocks.
    class Level {
      public:
        explicit Level(std::size_t& counted) : depth(counted) { ++depth; }
        ~Level() { --depth; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

      private:
        std::size_t& depth;
    };
    [[nodiscard]] core::Result<> mayNest() const;
    std::size_t depth = 0;

  private:
    std::vector<Token> tokens;
    std::size_t at = 0;
};

/// Parser of expressions.
class TokenReader : public TokenCursor {
  public:
    using TokenCursor::TokenCursor;

    [[nodiscard]] core::Result<ExprPtr> expression();
    /// Parses an expression; several separated by commas form a list.
    [[nodiscard]] core::Result<ExprPtr> tuple();
    /// Excludes `x if y else z`, which would consume the filter of a loop.
    [[nodiscard]] core::Result<ExprPtr> plain() { return either(); }

  private:
    using Parser = core::Result<ExprPtr> (TokenReader::*)();
    core::Result<ExprPtr> either();
    core::Result<ExprPtr> both();
    core::Result<ExprPtr> negation();
    core::Result<ExprPtr> comparison();
    core::Result<ExprPtr> sum();
    core::Result<ExprPtr> joined();
    core::Result<ExprPtr> product();
    core::Result<ExprPtr> unary();
    core::Result<ExprPtr> signedPart(bool withFilters);
    core::Result<ExprPtr> postfix(ExprPtr of, bool withFilters);
    core::Result<ExprPtr> subscript(ExprPtr of);
    core::Result<ExprPtr> filtered(ExprPtr of);
    core::Result<ExprPtr> tested(ExprPtr of);
    core::Result<ExprPtr> primary();
    core::Result<ExprPtr> number();
    core::Result<ExprPtr> brackets();
    core::Result<ExprPtr> dictionary();
    core::Result<> arguments(Expr& call);
    core::Result<ExprPtr> leftToRight(Parser next, std::initializer_list<std::string_view> signs);
};

}  // namespace et::inspector::tokenizers::detail::jinja
