#pragma once

#include "visualizers/generate/generated_tokens.h"

#include <QColor>
#include <QTextEdit>
#include <QTimer>

#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Text during generation, each token on a background that shows its time or surprise; the prompt is pale.
/// Scrolls to the end unless the user has scrolled up. A click selects a token, Left and Right its
/// neighbours.
class GeneratedText : public QTextEdit {
    Q_OBJECT

  public:
    enum class Colour : std::uint8_t {
        Time,      ///< white at the median, full colour at twice the median
        Surprise,  ///< white if certain, full colour at a probability of 1 in 400
    };

    /// `shown` must outlive it.
    explicit GeneratedText(GeneratedTokens& shown, QWidget* parent = nullptr);

    void setColour(Colour by);
    [[nodiscard]] Colour colour() const { return colouring; }
    /// Background of a token; invalid if it has none.
    [[nodiscard]] QColor groundOf(std::size_t token) const;
    /// The token at a viewport position in pixels.
    [[nodiscard]] std::optional<std::size_t> tokenAt(const QPoint& at) const;
    /// Explains the colours.
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
    double median = 0;        ///< reference of the time colours
    std::vector<int> starts;  ///< start position of each token's text
    QTimer recolouring;       ///< the median, reference of the time colours, changes during generation
};

}  // namespace et::visualizers
