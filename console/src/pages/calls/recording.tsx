import { ActionIcon, Group, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { Pause, Play } from 'lucide-react';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref } from 'react';
import WaveSurfer from 'wavesurfer.js';
import { formatDuration } from '#console/formats/duration';
import { t } from '#console/texts';

export interface Player {
  /** Plays from these seconds on. */
  hear: (seconds: number) => void;
}

interface RecordingProps {
  url: string;
  /** Called about every quarter of a second while it plays. */
  onTime: (seconds: number) => void;
  ref: Ref<Player>;
}

const HEIGHT = 56;

export default function Recording({ url, onTime, ref }: RecordingProps) {
  const container = useRef<HTMLDivElement>(null);
  const player = useRef<WaveSurfer>(null);
  const [state, setState] = useState({ isPlaying: false, duration: 0, time: 0, hasFailed: false });
  const tell = useEffectEvent(onTime);
  const { colors } = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';

  useEffect(() => {
    const surfer = WaveSurfer.create({
      container: container.current as HTMLDivElement,
      url,
      height: HEIGHT,
      barWidth: 2,
      barGap: 1,
      barRadius: 1,
      normalize: true,
      waveColor: isDark ? colors.dark[3] : colors.gray[5],
      progressColor: isDark ? colors.indigo[4] : colors.indigo[7],
      cursorColor: isDark ? colors.indigo[3] : colors.indigo[8],
    });
    player.current = surfer;
    surfer.on('ready', (duration) => setState((known) => ({ ...known, duration })));
    surfer.on('play', () => setState((known) => ({ ...known, isPlaying: true })));
    surfer.on('pause', () => setState((known) => ({ ...known, isPlaying: false })));
    surfer.on('error', () => setState((known) => ({ ...known, hasFailed: true })));
    surfer.on('timeupdate', (time) => {
      setState((known) => (Math.floor(known.time) === Math.floor(time) ? known : { ...known, time }));
      tell(time);
    });
    return () => surfer.destroy();
  }, [url, isDark, colors]);

  useImperativeHandle(ref, () => ({
    hear: (seconds) => {
      player.current?.setTime(seconds);
      void player.current?.play();
    },
  }));

  if (state.hasFailed) return <Text c="dimmed">{t.call.recordingFailed}</Text>;
  return (
    <Group gap="sm" wrap="nowrap" role="group" aria-label={t.call.recording}>
      <ActionIcon
        size="lg"
        variant="default"
        disabled={state.duration === 0}
        onClick={() => void player.current?.playPause()}
        aria-label={state.isPlaying ? t.call.pause : t.call.play}
      >
        {state.isPlaying ? <Pause size={16} /> : <Play size={16} />}
      </ActionIcon>
      <div ref={container} style={{ flex: 1, minHeight: HEIGHT }} />
      <Text size="sm" c="dimmed" w={84} ta="right">
        {formatDuration(Math.floor(state.time))} / {formatDuration(state.duration)}
      </Text>
    </Group>
  );
}
