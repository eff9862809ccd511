#pragma once

#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// A displayed token.
struct ShownToken {
    std::uint32_t id = 0;
    std::size_t position = 0;  ///< in the context
    QString text{};  ///< text that it completed; if several tokens form a character, the last one has it
    bool generated = false;   ///< false: part of the prompt
    double milliseconds = 0;  ///< since the previous token, or since the prompt for the first; 0: not
                              ///< measured
    std::optional<double> surprise{};  ///< -ln of its probability
};

/// Tokens of a prompt and its generated text, and the current one. Grows during generation. GUI thread only.
class GeneratedTokens : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    void clear();
    void add(ShownToken token);
    [[nodiscard]] std::span<const ShownToken> tokens() const { return all; }
    /// Slowest generated token, without the first, whose time includes the prompt; 0 if there is none.
    [[nodiscard]] double slowest() const { return slowestTime; }
    [[nodiscard]] double medianTime() const;

    [[nodiscard]] std::optional<std::size_t> chosen() const { return chosenToken; }
    /// An index out of range clears the selection.
    void choose(std::optional<std::size_t> token);
    /// Moves from the current token, or from the first.
    void selectAdjacent(int by);
    /// The token at a position of the context.
    [[nodiscard]] std::optional<std::size_t> at(std::size_t position) const;
    /// True if its time is that of a single step: generated, and not the first.
    [[nodiscard]] bool isTimed(std::size_t token) const;

    /// Description for tooltips and status lines.
    [[nodiscard]] QString describe(std::size_t token) const;

  signals:
    void cleared();
    void added();  ///< appended at the end
    void chosenChanged();

  private:
    std::vector<ShownToken> all;
    std::optional<std::size_t> chosenToken;
    double slowestTime = 0;
};

}  // namespace et::visualizers
