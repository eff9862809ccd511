#pragma once

#include <QByteArray>
#include <QList>
#include <QSplitter>

namespace et::visualizers {

/// A splitter that keeps what a person made of it, as shares of its length: pixels would not fit a window of
/// another size. Sizes that nobody chose are not kept.
class Splitter : public QSplitter {
    Q_OBJECT

  public:
    explicit Splitter(QWidget* parent = nullptr);
    Splitter(Qt::Orientation orientation, QWidget* parent);

    /// Empty until a person has moved a handle, or a state was restored.
    [[nodiscard]] QByteArray saveState() const;
    /// Applies what saveState() returned, now and whenever the splitter is resized. Anything else is ignored.
    void restoreState(const QByteArray& state);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void applyShares();
    void measureShares();

    QList<double> shares;  ///< one for each widget, 0 to 1; empty: the sizes that Qt gives
};

}  // namespace et::visualizers
