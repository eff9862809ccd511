#pragma once

#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// A token of a text, as it is shown.
struct ShownToken {
    std::uint32_t id = 0;
    std::size_t position = 0;  ///< in the context
    QString text{};            ///< that it completed; of several that make up a character, the last has it
    bool generated = false;    ///< else of the prompt
    double milliseconds = 0;   ///< since the one before; of the first: since the prompt; 0: not measured
    std::optional<double> surprise{};  ///< -ln of its probability
};

/// The tokens of a prompt and of what was generated behind it, and which of them is chosen. Grows while text
/// is generated. GUI thread only.
class GeneratedTokens : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    void clear();
    void add(ShownToken token);
    [[nodiscard]] std::span<const ShownToken> tokens() const { return all; }
    /// Of those that were generated, without the first, whose time is the prompt's: 0 where there is none.
    [[nodiscard]] double slowest() const { return slowestTime; }
    [[nodiscard]] double medianTime() const;

    [[nodiscard]] std::optional<std::size_t> chosen() const { return chosenToken; }
    /// What is outside clears the choice.
    void choose(std::optional<std::size_t> token);
    /// From the chosen one, or the first.
    void chooseBeside(int by);
    /// The token at a position of the context.
    [[nodiscard]] std::optional<std::size_t> at(std::size_t position) const;
    /// Whether its time is that of a step: it is generated, and not the first.
    [[nodiscard]] bool isTimed(std::size_t token) const;

    /// What is known of it, for tooltips and status lines.
    [[nodiscard]] QString describe(std::size_t token) const;

  signals:
    void cleared();
    void added();  ///< one at the end
    void chosenChanged();

  private:
    std::vector<ShownToken> all;
    std::optional<std::size_t> chosenToken;
    double slowestTime = 0;
};

}  // namespace et::visualizers
