#pragma once

#include "visualizers/generate/generated_tokens.h"

#include <QColor>
#include <QTextEdit>
#include <QTimer>

#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A text as it is generated, each token on a ground that says how long it took or how surprising it was; the
/// prompt is pale. Follows its end unless a person has scrolled up. A click chooses a token, Left and Right
/// the ones beside it.
class GeneratedText : public QTextEdit {
    Q_OBJECT

  public:
    enum class Colour : std::uint8_t {
        Time,      ///< white at the median, full at twice of it
        Surprise,  ///< white where it was certain, full at a probability of 1 in 400
    };

    /// `shown` outlives it.
    explicit GeneratedText(GeneratedTokens& shown, QWidget* parent = nullptr);

    void setColour(Colour by);
    [[nodiscard]] Colour colour() const { return colouring; }
    /// The ground of a token; invalid: it has none.
    [[nodiscard]] QColor groundOf(std::size_t token) const;
    /// The token at a place of the text, in pixels of the viewport.
    [[nodiscard]] std::optional<std::size_t> tokenAt(const QPoint& at) const;
    /// What the colours mean.
    [[nodiscard]] QString legend() const;

  protected:
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void append();
    void recolour();
    void markChosen();
    void showChosen();
    [[nodiscard]] QTextCursor cursorOver(std::size_t token) const;
    [[nodiscard]] QTextCharFormat formatOf(std::size_t token) const;

    GeneratedTokens& source;
    Colour colouring = Colour::Surprise;
    double median = 0;        ///< that the colours of times count from
    std::vector<int> starts;  ///< of each token's text
    QTimer recolouring;       ///< times are judged by the median, which moves while text comes
};

}  // namespace et::visualizers
