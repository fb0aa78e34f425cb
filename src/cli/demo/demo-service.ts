export interface DemoService {
  /** Ends with the API's prefix. */
  baseUrl: string;
  token: string;
  /** How it was come by. */
  origin: string;
  /** Stops it if it was started for the demonstration. */
  stop(): Promise<void>;
}
